# Flags of our own targets. They are set on an interface target that is linked privately, so that a
# program built against the installed package keeps its own flags.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND top_level)
  # Without this, ccache leaves files with precompiled headers to the compiler.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_library(touchstone_flags INTERFACE)
target_compile_features(touchstone_flags INTERFACE cxx_std_20)
target_compile_options(touchstone_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual)
if(top_level)
  target_compile_options(touchstone_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports impossible overflows inside inlined Eigen and libstdc++ code at -O3.
  target_compile_options(touchstone_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)
endif()
if(TOUCHSTONE_ARCH)
  target_compile_options(touchstone_flags INTERFACE -march=${TOUCHSTONE_ARCH})
endif()
if(TOUCHSTONE_SANITIZE)
  target_compile_options(touchstone_flags INTERFACE -fsanitize=${TOUCHSTONE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(touchstone_flags INTERFACE -fsanitize=${TOUCHSTONE_SANITIZE})
endif()

# Headers that most files read, compiled once for all targets that name the same `owner`, which come with the same flags:
# a third of the time of a build. Clang builds go without, and tell of headers that a file uses and does not include.
function(touchstone_precompile target owner)
  if(NOT TOUCHSTONE_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
