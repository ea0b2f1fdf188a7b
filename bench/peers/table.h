#pragma once
// What the runs of an engine through a scene came to, and ways to print it.
#include <string>
#include <vector>

#include "peers/run.h"

namespace touchstone::bench {

struct Row {
  std::string engine, scene;
  std::size_t bodies = 0;
  bool stands = false;
  std::vector<double> times;  // ms per step of each timed run, in the order of the runs
  RunResult result;           // of the judged run; its ms_per_step is replaced by the median of the times
  double ratio = 0;           // to the reference's time in the same scene; 0: one of the two did not go as far
  double start_energy = 0;    // of a scene in which nothing takes energy [J]
};

double median(std::vector<double> values);
void fill_ratios(std::vector<Row>& rows, const std::string& reference);

void print_heading();
void print_row(const Row& row);
std::string as_markdown(const std::vector<Row>& rows, const std::string& reference);
std::string as_json(const std::vector<Row>& rows, const std::string& reference);

}  // namespace touchstone::bench
