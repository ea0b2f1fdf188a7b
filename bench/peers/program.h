#pragma once
// A program that runs scenes under several engines, judges and times them, and prints a table.
#include <string>
#include <vector>

#include "peers/engine.h"

namespace touchstone::bench {

struct Program {
  std::string name, about;  // as they stand in --help
  std::vector<std::string> scenes;
  Scene (*make_scene)(std::string_view name);
  std::vector<EngineEntry> engines;  // all that it knows, Touchstone first
  std::string reference;             // the engine whose time the ratios are to
};

int run_program(const Program& program, int argc, char** argv);

}  // namespace touchstone::bench
