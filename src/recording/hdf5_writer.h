#pragma once
// Streams a journal into the HDF5 form; never holds more than a few chunks of it in memory.
#include "recording/journal_reader.h"

namespace touchstone {

// Writes into the (empty) file and appends the checksum. `shown` is the name that messages use. Throws Error
// (kIo) if the disk is full; the file is then worthless.
void write_hdf5(const JournalReader& journal, const FileHandle& file, const std::string& shown);

}  // namespace touchstone
