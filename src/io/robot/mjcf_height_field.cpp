// Purpose: height fields of MJCF files. Source: MuJoCo, XML reference, "asset/hfield". Letters: none. Deviations: the
// solid base below the surface is left out. Fails: with an Error at the asset: missing or damaged files, other sizes.
#include <cairo/cairo.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/text.h"
#include "io/robot/mjcf.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHeights = 16'000'000;

struct Heights {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row, the first row at the least y
};

// Grey levels of a picture; its first row is the one at the greatest y.
Heights of_picture(const XmlNode& asset, const std::string& path) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> picture(
      cairo_image_surface_create_from_png(path.c_str()), &cairo_surface_destroy);
  if (cairo_surface_status(picture.get()) != CAIRO_STATUS_SUCCESS)
    asset.refuse_attribute("file", fmt::format("is no PNG picture that can be read ({})",
                                               cairo_status_to_string(cairo_surface_status(picture.get()))));
  const auto rows = static_cast<std::size_t>(cairo_image_surface_get_height(picture.get()));
  const auto columns = static_cast<std::size_t>(cairo_image_surface_get_width(picture.get()));
  if (rows * columns > kMostHeights) asset.refuse_attribute("file", "has too many pixels");
  Heights out{rows, columns, std::vector<double>(rows * columns)};
  const unsigned char* const data = cairo_image_surface_get_data(picture.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(picture.get()));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, data + r * stride + 4 * c, sizeof pixel);
      out.values[(rows - 1 - r) * columns + c] = static_cast<double>((pixel >> 16) & 255);  // red, as MuJoCo
    }
  return out;
}

// MuJoCo's own format: the numbers of rows and columns (32 bits), then single precision numbers.
Heights of_binary(const XmlNode& asset, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::int32_t size[2] = {0, 0};
  if (bytes.size() >= sizeof size) std::memcpy(size, bytes.data(), sizeof size);
  if (size[0] < 1 || size[1] < 1 ||
      static_cast<std::size_t>(size[0]) > kMostHeights / static_cast<std::size_t>(size[1]))
    asset.refuse_attribute("file", "is no height field: it must begin with its numbers of rows and columns");
  const std::size_t n = static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
  if (bytes.size() != sizeof size + 4 * n)
    asset.refuse_attribute("file", fmt::format("has {} bytes; {} by {} heights need {}", bytes.size(), size[0], size[1],
                                               sizeof size + 4 * n));
  Heights out{static_cast<std::size_t>(size[0]), static_cast<std::size_t>(size[1]), {}};
  for (std::size_t i = 0; i < n; ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + sizeof size + 4 * i, sizeof value);
    if (!std::isfinite(value)) asset.refuse_attribute("file", "has a height that is not finite");
    out.values.push_back(static_cast<double>(value));
  }
  return out;
}

Heights of_file(const XmlNode& asset, const MjcfContext& context) {
  const fs::path folder = fs::path(context.document.files.front()).parent_path() / context.compiler.mesh_folder;
  const fs::path given = asset.required("file");
  const std::string path = (given.is_absolute() ? given : folder / given).lexically_normal().string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) asset.refuse_attribute("file", fmt::format("is not found: {}", path));
  if (fs::file_size(path, error) > context.options.most_bytes || error) asset.refuse_attribute("file", "is too large");
  return path.ends_with(".png") ? of_picture(asset, path) : of_binary(asset, path);
}

Heights of_attributes(const XmlNode& asset, std::size_t rows, std::size_t columns) {
  Heights out{rows, columns, std::vector<double>(rows * columns, 0.0)};
  const auto given = asset.numbers("elevation", 1, kMostHeights);
  if (!given) return out;
  if (given->size() != rows * columns)
    asset.refuse_attribute("elevation", fmt::format("must have nrow · ncol = {} numbers", rows * columns));
  for (std::size_t r = 0; r < rows; ++r)  // the first row of the text is at the greatest y
    std::copy_n(given->begin() + static_cast<std::ptrdiff_t>((rows - 1 - r) * columns), columns,
                out.values.begin() + static_cast<std::ptrdiff_t>(r * columns));
  return out;
}

// From 0 to 1.
void normalise(Heights& heights) {
  const auto [least, most] = std::minmax_element(heights.values.begin(), heights.values.end());
  const double low = *least, span = *most - *least;
  for (double& h : heights.values) h = span > 0 ? (h - low) / span : 0.0;
}

ShapeDescription as_mesh(const Heights& heights, double dx, double dy, const Eigen::Vector3d& size) {
  ShapeDescription shape;
  shape.kind = ShapeKind::kMesh;
  for (std::size_t r = 0; r < heights.rows; ++r)
    for (std::size_t c = 0; c < heights.columns; ++c)
      shape.vertices.emplace_back(static_cast<double>(c) * dx - size[0], static_cast<double>(r) * dy - size[1],
                                  heights.values[r * heights.columns + c] * size[2]);
  const auto at = [&](std::size_t r, std::size_t c) { return static_cast<std::uint32_t>(r * heights.columns + c); };
  for (std::size_t r = 0; r + 1 < heights.rows; ++r)
    for (std::size_t c = 0; c + 1 < heights.columns; ++c) {
      shape.triangles.push_back({at(r, c), at(r, c + 1), at(r + 1, c + 1)});
      shape.triangles.push_back({at(r, c), at(r + 1, c + 1), at(r + 1, c)});
    }
  return shape;
}

}  // namespace

ShapeDescription read_mjcf_height_field(const XmlNode& geom, const std::string& name, MjcfContext& context) {
  const auto found = context.height_fields.find(name);
  if (found == context.height_fields.end()) geom.refuse(fmt::format("there is no hfield '{}' in <asset>", name));
  const XmlNode asset(context.document, found->second);
  const std::vector<double> size = asset.numbers("size", 4, 4).value_or(std::vector<double>());
  if (size.empty()) asset.refuse("the attribute 'size' is missing");
  if (!(*std::min_element(size.begin(), size.end()) > 0))
    asset.refuse_attribute("size", "must be four lengths greater than 0 m");
  const long rows = asset.integer("nrow").value_or(0), columns = asset.integer("ncol").value_or(0);
  if (!asset.has("file") &&
      (rows < 2 || columns < 2 || static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) > kMostHeights))
    asset.refuse(fmt::format("needs a file, or nrow and ncol of at least 2 (they are {} and {})", rows, columns));
  Heights heights = asset.has("file")
                        ? of_file(asset, context)
                        : of_attributes(asset, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
  if (heights.rows < 2 || heights.columns < 2) asset.refuse("needs at least two rows and two columns");
  normalise(heights);
  context.notes.approximated(asset, "", "only the surface is kept, without the solid base below it");
  const double dx = 2 * size[0] / static_cast<double>(heights.columns - 1);
  const double dy = 2 * size[1] / static_cast<double>(heights.rows - 1);
  if (std::abs(dx - dy) > 1e-9 * dx) return as_mesh(heights, dx, dy, {size[0], size[1], size[2]});
  for (double& h : heights.values) h *= size[2];
  return ShapeDescription::height_field(
      {static_cast<std::uint32_t>(heights.columns), static_cast<std::uint32_t>(heights.rows)}, dx,
      std::move(heights.values));
}

}  // namespace touchstone
