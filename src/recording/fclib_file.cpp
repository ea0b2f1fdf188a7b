#include "recording/fclib_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/apart.h"
#include "base/text.h"
#include "recording/hdf5_file.h"
#include "recording/overwrite_guard.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kMostText = std::uint64_t{1} << 31;  // bytes: larger problems belong into HDF5

// A file that is read, with the names of its datasets in errors.
class In {
 public:
  In(const Hdf5File& file, std::string path) : file_(file), path_(std::move(path)) {}

  bool has(const std::string& name) const {
    // Each group on the way must be there.
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      if (!file_.contains(name.substr(0, slash))) return false;
    return file_.contains(name);
  }
  void need(const std::string& name) const {
    if (!has(name)) refuse(name, "is missing; FCLIB needs it");
  }
  std::int32_t integer(const std::string& name) const {
    const std::vector<std::int32_t> values = integers(name);
    if (values.size() != 1) refuse(name, fmt::format("has {} numbers; one is expected", values.size()));
    return values.front();
  }
  std::vector<std::int32_t> integers(const std::string& name) const {
    need(name);
    return file_.table(name, ElementType::kInt32, 1).read_all<std::int32_t>();
  }
  std::vector<double> numbers(const std::string& name) const {
    need(name);
    return file_.table(name, ElementType::kFloat64, 1).read_all<double>();
  }
  FclibMatrix matrix(const std::string& name) const {
    need(name);
    FclibMatrix out;
    out.m = integer(name + "/m"), out.n = integer(name + "/n"), out.nz = integer(name + "/nz");
    out.p = integers(name + "/p"), out.i = integers(name + "/i"), out.x = numbers(name + "/x");
    check(name, out);
    return out;
  }
  // Sizes are promises: memory is only taken for what datasets of that length stand for.
  void check_size(const std::string& name, const FclibMatrix& a, const std::string& rows, std::size_t m,
                  const std::string& cols, std::size_t n) const {
    const auto one = [&](const char* which, std::int32_t found, const std::string& vector, std::size_t expected) {
      if (static_cast<std::size_t>(found) != expected)
        refuse(fmt::format("{}/{}", name, which),
               fmt::format("is {}; '{}' has {}, which it must fit", found, vector, counted(expected, "number")));
    };
    one("m", a.m, rows, m);
    one("n", a.n, cols, n);
  }
  [[noreturn]] void refuse(const std::string& name, const std::string& what) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: '{}' {}", path_, name, what));
  }

 private:
  void check(const std::string& name, const FclibMatrix& a) const {
    if (a.m < 0 || a.n < 0) refuse(name, fmt::format("has the size {} × {}", a.m, a.n));
    if (a.nz < -2)
      refuse(name + "/nz", fmt::format("is {}; −2 (rows), −1 (columns) or a number of entries is expected", a.nz));
    const auto size = [](std::int32_t n) { return static_cast<std::size_t>(n); };
    const std::size_t outer = a.nz >= 0 ? size(a.nz) : size(a.nz == -1 ? a.n : a.m) + 1;
    if (a.p.size() < outer)
      refuse(name + "/p", fmt::format("has {}; {} are needed", counted(a.p.size(), "number"), outer));
    if (a.nz < 0) {
      for (std::size_t k = 0; k + 1 < outer; ++k)
        if (a.p[k] > a.p[k + 1]) refuse(name + "/p", fmt::format("goes back at index {}", k + 1));
      if (a.p[0] != 0) refuse(name + "/p", "does not begin with 0");
    }
    const std::size_t entries = a.nz >= 0 ? size(a.nz) : size(a.p[outer - 1]);
    if (a.i.size() < entries || a.x.size() < entries)
      refuse(name, fmt::format("has {} indices and {} values; {} are needed", a.i.size(), a.x.size(), entries));
    const std::int32_t most_i = a.nz == -2 ? a.n : a.m;
    for (std::size_t k = 0; k < entries; ++k) {
      if (a.i[k] < 0 || a.i[k] >= most_i) refuse(name + "/i", fmt::format("[{}] is {}, outside the matrix", k, a.i[k]));
      if (a.nz >= 0 && (a.p[k] < 0 || a.p[k] >= a.n))
        refuse(name + "/p", fmt::format("[{}] is {}, outside the matrix", k, a.p[k]));
    }
  }

  const Hdf5File& file_;
  std::string path_;
};

void read_local(const In& in, FclibData& out) {
  out.w = in.matrix("fclib_local/W");
  const std::string q = "fclib_local/vectors/q", s = "fclib_local/vectors/s";
  out.q = in.numbers(q);
  in.check_size("fclib_local/W", out.w, q, out.q.size(), q, out.q.size());
  if (!in.has("fclib_local/V") && !in.has("fclib_local/R")) return;
  out.v = in.matrix("fclib_local/V");
  out.r = in.matrix("fclib_local/R");
  out.s = in.numbers(s);
  in.check_size("fclib_local/V", out.v, q, out.q.size(), s, out.s.size());
  in.check_size("fclib_local/R", out.r, s, out.s.size(), s, out.s.size());
}

void read_global(const In& in, FclibData& out) {
  if (in.has("fclib_global/G"))
    in.refuse("fclib_global/G",
              "holds equalities of a global problem, which are not read here; write it as a local one");
  out.mass = in.matrix("fclib_global/M");
  out.h = in.matrix("fclib_global/H");
  const std::string f = "fclib_global/vectors/f", w = "fclib_global/vectors/w";
  out.f = in.numbers(f);
  out.bias = in.numbers(w);
  in.check_size("fclib_global/M", out.mass, f, out.f.size(), f, out.f.size());
  in.check_size("fclib_global/H", out.h, f, out.f.size(), w, out.bias.size());
}

// What a problem does without is left out where it cannot be read: of another type or form, or damaged.
void read_optional(const In& in, const std::string& name, std::vector<double>& to, std::vector<std::string>& notes) {
  try {
    if (in.has(name)) to = in.numbers(name);
  } catch (const Error& e) {
    to.clear();
    notes.push_back(fmt::format("'{}' is left out: {}", name, e.what()));
  }
}

class Out {
 public:
  explicit Out(Hdf5File& file) : file_(file) {}
  void integers(const std::string& name, const std::vector<std::int32_t>& values) {
    Hdf5Dataset table = file_.create_table(name, ElementType::kInt32, {values.size()});
    if (!values.empty()) table.write_rows(0, values.size(), values.data());
  }
  void numbers(const std::string& name, const std::vector<double>& values) {
    Hdf5Dataset table = file_.create_table(name, ElementType::kFloat64, {values.size()});
    if (!values.empty()) table.write_rows(0, values.size(), values.data());
  }
  void matrix(const std::string& name, const FclibMatrix& a) {
    file_.group(name);
    integers(name + "/nzmax", {static_cast<std::int32_t>(a.x.size())});
    integers(name + "/n", {a.n});
    integers(name + "/m", {a.m});
    integers(name + "/nz", {a.nz});
    integers(name + "/p", a.p);
    integers(name + "/i", a.i);
    numbers(name + "/x", a.x);
  }

 private:
  Hdf5File& file_;
};

}  // namespace

bool is_hdf5(const std::string& path) {
  static constexpr unsigned char kSignature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  const FileHandle handle = open_existing(path, false, "problem file");
  unsigned char first[8] = {};
  return read_at(handle, path, first, sizeof first, 0) == sizeof first && std::equal(first, first + 8, kSignature);
}

std::string read_whole_file(const std::string& path, const std::string& what) {
  const FileHandle handle = open_existing(path, false, what);
  const std::uint64_t size = file_size(handle, path);
  if (size > kMostText)
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {} bytes are too many for a text file", path, size));
  std::string text(size, '\0');
  text.resize(read_at(handle, path, text.data(), text.size(), 0));
  return text;
}

void write_whole_file(const std::string& path, const std::string& text) {
  refuse_recording(path);
  TemporaryFile file(resolve_target(path, "problem"), path, "problem");
  std::size_t written = 0;
  if (const int error = write_at(file.handle().get(), text.data(), text.size(), 0, written))
    throw_io(path, "cannot write the file", error);
  file.commit(false);
}

namespace {

FclibData read_by_hdf5(const std::string& path) {
  const Hdf5Silence silence;
  const FileHandle handle = open_existing(path, false, "problem file");
  const Hdf5File file = Hdf5File::open(handle.get(), file_size(handle, path), path);
  const In in(file, path);
  FclibData out;
  out.global = in.has("fclib_global");
  if (!out.global && !in.has("fclib_local"))
    throw Error(
        ErrorKind::kBadInput,
        path + ": is HDF5, but holds neither 'fclib_local' nor 'fclib_global': it is no contact problem of FCLIB");
  const std::string group = out.global ? "fclib_global" : "fclib_local";
  out.dimension = in.integer(group + "/spacedim");
  if (out.dimension != 2 && out.dimension != 3)
    in.refuse(group + "/spacedim", fmt::format("is {}; 2 or 3 is expected", out.dimension));
  out.mu = in.numbers(group + "/vectors/mu");
  out.global ? read_global(in, out) : read_local(in, out);
  read_optional(in, "solution/r", out.solution, out.notes);
  read_optional(in, "solution/u", out.solution_u, out.notes);
  read_optional(in, "guesses/1/r", out.guess, out.notes);
  return out;
}

}  // namespace

// First in a copy of the process: HDF5 1.10 may crash on a damaged file, and FCLIB has no checksum.
FclibData read_fclib(const std::string& path) {
  constexpr unsigned kSeconds = 10;  // of processor time, and one more for every MiB
  const std::uint64_t bytes = file_size(open_existing(path, false, "problem file"), path);
  const Rehearsal found = rehearse([&] { read_by_hdf5(path); }, kSeconds + static_cast<unsigned>(bytes >> 20));
  if (found.refusal) throw Error(*found.refusal);
  if (!found.crash.empty())
    throw Error(ErrorKind::kBadInput,
                path + ": is damaged: HDF5 cannot read it, " + found.crash + ". Get the file again");
  return read_by_hdf5(path);
}

void write_fclib(const std::string& path, const FclibData& data) {
  refuse_recording(path);
  const Hdf5Silence silence;
  TemporaryFile target(resolve_target(path, "problem"), path, "problem");
  Hdf5File file = Hdf5File::create(target.handle().get(), path);
  Out out(file);
  file.group("fclib_local");
  out.integers("fclib_local/spacedim", {data.dimension});
  out.matrix("fclib_local/W", data.w);
  file.group("fclib_local/vectors");
  out.numbers("fclib_local/vectors/q", data.q);
  out.numbers("fclib_local/vectors/mu", data.mu);
  if (data.r.m > 0) {
    out.matrix("fclib_local/V", data.v);
    out.matrix("fclib_local/R", data.r);
    out.numbers("fclib_local/vectors/s", data.s);
  }
  file.close();
  target.commit(false);
}

}  // namespace touchstone
