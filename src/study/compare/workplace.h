#pragma once
// The folder for the recordings of a comparison.
#include <string>

namespace touchstone::compare {

// keep: a folder that is made if need be and stays; "": a temporary one, gone at the end. Throws Error (kIo).
class Workplace {
 public:
  explicit Workplace(const std::string& keep);
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const std::string& path() const { return path_; }

 private:
  bool kept_;
  std::string path_;
};

}  // namespace touchstone::compare
