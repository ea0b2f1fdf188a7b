#include "recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "recording/hdf5_writer.h"
#include "recording/journal_reader.h"
#include "recording/journal_writer.h"
#include "recording/recording.h"
#include "recording/recording_source.h"

namespace touchstone {
namespace {

using Clock = std::chrono::steady_clock;
// What a killed process may lose; well inside the second that recordings promise.
constexpr std::chrono::milliseconds kOldest{250};
// Marks gather into one record until something else is written or this many are there.
constexpr std::size_t kMarksPerRecord = 4096;

// Throws if a living run writes to the file that is about to be replaced.
void refuse_if_in_use(const std::string& target, const std::string& shown) {
  std::error_code error;
  if (std::filesystem::exists(target, error)) lock_for_writing(open_existing(target, false), shown);
}

JournalWriter begin_journal(const std::string& path, const RecordingInfo& info) {
  const std::string target = resolve_target(path);
  refuse_if_in_use(target, path);
  TemporaryFile temporary(target, path);
  lock_for_writing(temporary.handle(), path);
  JournalWriter writer(path, std::move(temporary.handle()), 0);
  writer.begin(info);
  writer.hand_over();
  temporary.commit(false);
  return writer;
}

JournalWriter continue_journal(const std::string& path) {
  FileHandle file = open_existing(path, true);
  lock_for_writing(file, path);
  const std::unique_ptr<RecordingSource> source = open_source(path);
  const auto* journal = dynamic_cast<const JournalReader*>(source.get());
  if (!journal) throw Error(ErrorKind::kBadInput, path + ": is finished; only a journal can be appended to");
  if (journal->truncated_bytes > 0)
    throw Error(ErrorKind::kBadInput, path + ": ends in an incomplete record; make a clean copy first");
  const std::vector<ReportColumn> ours = current_report_columns();
  if (!std::equal(ours.begin(), ours.end(), journal->report_columns().begin(), journal->report_columns().end(),
                  [](const auto& a, const auto& b) { return a.name == b.name; }))
    throw Error(ErrorKind::kUnsupported,
                path + ": another version of touchstone began this journal; make a clean copy first");
  JournalWriter writer(path, std::move(file), journal->valid_bytes());
  writer.set_shape(frame_shape(journal->info, ours.size()));
  return writer;
}

// Gives the file a second name, or where that cannot be done its only one.
void keep_aside(const std::string& path, const std::string& aside) {
  std::error_code error;
  std::filesystem::remove(aside, error);
  std::filesystem::create_hard_link(path, aside, error);
  if (error) std::filesystem::rename(path, aside, error);
  if (error) throw_io(path, "cannot keep the damaged journal aside", error.value());
}

// Writes the HDF5 form beside the journal and puts it in its place.
void convert(const std::string& path, const JournalReader& journal) {
  const std::string target = resolve_target(path);
  TemporaryFile temporary(target, path);
  write_hdf5(journal, temporary.handle(), path);
  // What follows a damaged record may still be of use to somebody.
  if (journal.damaged()) keep_aside(target, target + ".damaged");
  temporary.commit(true);
}

// Marks and frames up to and with `last`, in the order in which they came.
void copy_steps(const RecordingSource& source, std::uint64_t last, JournalWriter& writer) {
  auto next = source.steps.begin();
  const auto marks_up_to = [&](std::uint64_t step) {
    const auto stop = std::find_if(next, source.steps.end(), [&](const StepMark& m) { return m.step > step; });
    while (next != stop) {
      const auto first = next;
      next += std::min<std::ptrdiff_t>(stop - next, kMarksPerRecord);
      writer.marks({first, next});
    }
  };
  for (std::size_t i = 0; i < source.frames.size() && source.frames[i].step <= last; ++i) {
    marks_up_to(source.frames[i].step);
    writer.frame(source.read_frame(i));
  }
  marks_up_to(last);
}

[[noreturn]] void rethrow_with_journal_kept(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::kIo, fmt::format("{}. The recording is complete as a journal, which every touchstone command "
                                          "reads; `touchstone recover {}` turns it into HDF5 later",
                                          reason, path));
}

}  // namespace

// The caller's thread adds records; a thread of our own hands over what has waited too long, so that even a
// step that takes minutes does not keep earlier ones in memory.
struct RecordingWriter::Impl {
  Impl(std::string p, JournalWriter w) : path(std::move(p)), writer(std::move(w)) {
    try {
      keeper = std::thread([this] { keep(); });
    } catch (const std::system_error&) {  // no more threads to be had: then mark() alone keeps the time
    }
  }
  ~Impl() {
    stop();
    if (writer.open()) try_hand_over();
  }

  void keep() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      wake.wait_for(lock, kOldest / 2);
      if (!writer.failed()) hand_over_if_old([this] { try_hand_over(); });
    }
  }
  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    if (keeper.joinable()) keeper.join();
  }

  void note_pending() {
    ended = false;
    if (!oldest) oldest = Clock::now();
  }
  void emit_marks() {
    if (writer.failed()) writer.hand_over();  // throws again before anything is taken
    if (marks.empty()) return;
    emitted.swap(marks);
    marks.clear();
    writer.marks(emitted);
  }
  void hand_over() {
    emit_marks();
    writer.hand_over();
    oldest.reset();
    last_hand_over = Clock::now();
  }
  // For where nobody can be told: the writer remembers, and the next call of the owner throws.
  void try_hand_over() noexcept {
    try {
      hand_over();
    } catch (...) {
    }
  }
  template <class HandOver>
  void hand_over_if_old(const HandOver& act) {
    if (oldest && Clock::now() - *oldest >= kOldest / 2) act();
  }
  void hand_over_if_old() {
    hand_over_if_old([this] { hand_over(); });
  }

  std::string path;
  JournalWriter writer;
  std::vector<StepMark> marks, emitted;     // not yet a record; memory of the last record
  std::optional<Clock::time_point> oldest;  // when the first thing not yet handed over came
  Clock::time_point last_hand_over = Clock::now();
  bool ended = false, stopping = false;
  std::mutex mutex;  // guards everything above
  std::condition_variable wake;
  std::thread keeper;
};

RecordingWriter::RecordingWriter(const std::string& path, const RecordingInfo& info)
    : impl_(std::make_unique<Impl>(path, begin_journal(path, info))) {}
RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

RecordingWriter RecordingWriter::append_to(const std::string& path) {
  return RecordingWriter(std::make_unique<Impl>(path, continue_journal(path)));
}

RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::mark(const StepMark& mark) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->writer.failed()) impl_->writer.hand_over();
  impl_->note_pending();
  impl_->marks.push_back(mark);
  if (impl_->marks.size() >= kMarksPerRecord) impl_->emit_marks();
  impl_->hand_over_if_old();
}

void RecordingWriter::frame(const Frame& frame) {
  const std::lock_guard lock(impl_->mutex);
  impl_->emit_marks();
  impl_->note_pending();
  impl_->writer.frame(frame);
}

void RecordingWriter::snapshot(std::uint64_t step, std::span<const std::byte> bytes) {
  const std::lock_guard lock(impl_->mutex);
  impl_->emit_marks();
  impl_->note_pending();
  impl_->writer.snapshot(step, bytes);
}

void RecordingWriter::flush(double seconds) {
  const std::lock_guard lock(impl_->mutex);
  if (std::chrono::duration<double>(Clock::now() - impl_->last_hand_over).count() >= seconds) impl_->hand_over();
}

void RecordingWriter::finish(bool complete) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->emit_marks();
    if (!impl_->ended) impl_->writer.end(complete);
    impl_->ended = true;
    impl_->hand_over();
  }
  try {
    convert(impl_->path, JournalReader(impl_->path, impl_->writer.duplicate_file()));
  } catch (const std::exception& e) {
    rethrow_with_journal_kept(impl_->path, e.what());
  }
  impl_->stop();
  impl_->writer.close();
}

const std::string& RecordingWriter::path() const { return impl_->path; }

std::uint64_t copy_up_to_snapshot(const std::string& from, const std::string& to, std::optional<double> duration) {
  const std::unique_ptr<RecordingSource> source = open_source(from);
  const std::optional<Recording::Snapshot> snapshot = source->last_snapshot();
  if (!snapshot)
    throw Error(ErrorKind::kBadInput, from +
                                          ": cannot be resumed: it was stopped before its first snapshot was written. "
                                          "Run its scene again from the start");
  const std::string target = resolve_target(to);
  refuse_if_in_use(target, to);
  TemporaryFile temporary(target, to);
  JournalWriter writer(to, std::move(temporary.handle()), 0);
  RecordingInfo info = source->info;
  info.duration = duration.value_or(info.duration);
  info.natural_maps = info.joints = info.joint_states = true;  // what is written from here on has them
  writer.begin(info);
  copy_steps(*source, snapshot->step, writer);
  writer.snapshot(snapshot->step, snapshot->bytes);
  writer.hand_over();
  temporary.handle() = writer.take_file();
  temporary.commit(true);
  return snapshot->step;
}

void convert_journal(const std::string& path) {
  FileHandle file = open_existing(path, false);
  lock_for_writing(file, path);
  const std::unique_ptr<RecordingSource> source = open_source(path);
  const auto* journal = dynamic_cast<const JournalReader*>(source.get());
  if (!journal) throw Error(ErrorKind::kBadInput, path + ": is finished already; there is nothing to recover");
  try {
    convert(path, *journal);
  } catch (const std::exception& e) {
    rethrow_with_journal_kept(path, e.what());
  }
}

bool remove_leftover(const std::string& path) {
  const std::string target = resolve_target(path), name = temporary_name(target);
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(name, error))) return false;
  // Held until the file is gone: whoever wants to write waits for neither, but is refused for this moment.
  const FileHandle recording = open_existing(target, false), leftover = open_existing(name, false);
  return is_unlocked(recording) && is_unlocked(leftover) && std::filesystem::remove(name, error);
}

}  // namespace touchstone
