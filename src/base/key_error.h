#pragma once
// An error about one key of a description. The fields are data: a reader of scene files finds the key's place by them
// and reads nothing out of the message.
#include <string>
#include <utility>

#include "touchstone/error.h"

namespace touchstone {

class KeyError : public Error {
 public:
  // who: "body 'ball'"; "": whoever catches it knows.
  KeyError(ErrorKind kind, std::string key, std::string detail, const std::string& who = "")
      : Error(kind, who.empty() ? detail : who + ": " + detail), key_(std::move(key)), detail_(std::move(detail)) {}
  // The path of the key within the description: "mass", "motion.velocity".
  const std::string& key() const { return key_; }
  // The message without who.
  const std::string& detail() const { return detail_; }

 private:
  std::string key_, detail_;
};

}  // namespace touchstone
