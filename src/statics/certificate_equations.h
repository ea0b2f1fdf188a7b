#pragma once
// The equations that a certificate's own numbers make.
#include "statics/certificate_reader.h"

namespace touchstone::statics::certificate {

using Row = std::vector<std::pair<std::size_t, Fraction>>;
using Vector = std::vector<Fraction>;

class Equations {
 public:
  explicit Equations(Certificate c) : c_(std::move(c)) { build(); }

 protected:
  Vector transposed(const Vector& f) const;  // Jᵀ·f
  Vector momentum(const Vector& a) const;    // M·a
  Vector rates(const Vector& a) const;       // J·a
  static Fraction product(const Vector& a, const Vector& b);
  static Vector dense(const std::map<std::size_t, Fraction>& values, std::size_t size, const char* what);

  Certificate c_;
  std::size_t freedoms_ = 0;
  std::vector<Row> rows_;
  Vector load_;

 private:
  void build();
  void add_side(std::size_t body, const Triple& linear, const Triple& angular, int sign, Row& row) const;
};

}  // namespace touchstone::statics::certificate
