#pragma once
// One description of a type's fields serves saving and loading: ar(a); ar(b); ... Native byte order and
// layout: a snapshot is for the same binary on the same kind of machine, as is the determinism promise.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "touchstone/error.h"

namespace touchstone {

class Archive {
 public:
  explicit Archive(std::vector<std::byte>& out) : out_(&out) {}
  explicit Archive(std::span<const std::byte> in) : in_(in) {}
  bool saving() const { return out_ != nullptr; }
  bool at_end() const { return in_.empty(); }

  // A trivially copyable value, an Eigen matrix or quaternion of fixed size (no copy constructor that is
  // trivial, but plain storage), a string, a vector, an optional, a map, or a type with serialize(Archive&)
  // or a free serialize_fields(Archive&, T&).
  template <class T>
  void operator()(T& value) {
    if constexpr (requires { value.serialize(*this); }) {
      value.serialize(*this);
    } else if constexpr (requires { serialize_fields(*this, value); }) {
      serialize_fields(*this, value);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      bytes(&value, sizeof(T));
    } else if constexpr (
        requires { value.coeffs().data(); } && !requires { value.resize(0, 0); }) {
      bytes(value.coeffs().data(), sizeof(double) * static_cast<std::size_t>(value.coeffs().size()));
    } else if constexpr (requires {
                           T::SizeAtCompileTime;
                           value.data();
                         }) {
      static_assert(T::SizeAtCompileTime > 0, "only matrices of fixed size");
      bytes(value.data(), sizeof(typename T::Scalar) * static_cast<std::size_t>(T::SizeAtCompileTime));
    } else {
      container(value);
    }
  }

  void bytes(void* data, std::size_t size) {
    if (size == 0) return;
    if (out_) {
      const auto* first = static_cast<const std::byte*>(data);
      out_->insert(out_->end(), first, first + size);
    } else {
      if (in_.size() < size) throw Error(ErrorKind::kBadInput, "snapshot is cut short");
      std::memcpy(data, in_.data(), size);
      in_ = in_.subspan(size);
    }
  }

 private:
  // A count that could not possibly be backed by the bytes left is refused before anything is allocated.
  std::uint64_t count(std::size_t current) {
    std::uint64_t n = current;
    bytes(&n, sizeof n);
    if (!out_ && n > in_.size()) throw Error(ErrorKind::kBadInput, "snapshot is damaged: impossible count");
    return n;
  }
  void container(std::string& text) {
    const std::uint64_t n = count(text.size());
    if (!out_) text.resize(n);
    bytes(text.data(), n);
  }
  template <class T>
  void container(std::vector<T>& values) {
    const std::uint64_t n = count(values.size());
    if (!out_) values.resize(n);
    for (T& value : values) (*this)(value);
  }
  template <class T>
  void container(std::optional<T>& value) {
    std::uint8_t has = value.has_value();
    (*this)(has);
    if (!out_) value = has ? std::optional<T>(T{}) : std::nullopt;
    if (value) (*this)(*value);
  }
  template <class A, class B>
  void container(std::pair<A, B>& value) {
    (*this)(value.first);
    (*this)(value.second);
  }
  template <class K, class V>
  void container(std::map<K, V>& values) {
    const std::uint64_t n = count(values.size());
    if (out_) {
      for (auto& [key, value] : values) {
        K copy = key;
        (*this)(copy);
        (*this)(value);
      }
      return;
    }
    values.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
      K key{};
      (*this)(key);
      (*this)(values[key]);
    }
  }

  std::vector<std::byte>* out_ = nullptr;
  std::span<const std::byte> in_;
};

}  // namespace touchstone
