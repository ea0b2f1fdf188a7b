#pragma once
#include <stdexcept>
#include <string>

namespace touchstone {

/// What went wrong, as far as a caller can act on it. The command line maps each kind to an exit code.
enum class ErrorKind {
  kBadInput,     ///< a scene, a file or an argument is wrong; the message names it and the remedy
  kUnsupported,  ///< right, but this model or this version cannot do it
  kUnstable,     ///< the step is too large for the model; the message names the step it needs
  kNonFinite,    ///< a number became infinite or NaN; the state is the last good one
  kIo,           ///< reading or writing a file failed
  kInterrupted,  ///< a stop was requested during the step; the state is the one before it
  kController,   ///< a controller failed; the message names it, and the state is the one before the step
};

/// The one exception type that leaves the library.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace touchstone
