// Small vectors that the compiler turns into what the machine has, and the choice of the machine at run time.
//
// A kernel is an inlined template, compiled once for every machine as a function with that machine's attribute; `machine` says which one to
// call. All of them do the same operations in the same order, so the numbers are the same everywhere.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define THRIFTWOOD_AVX2 __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define THRIFTWOOD_AVX512 __attribute__((target("avx2,popcnt,bmi,bmi2,avx512f,avx512vl,avx512dq,avx512bw,avx512vpopcntdq")))
#define THRIFTWOOD_X86 1
#else
#define THRIFTWOOD_X86 0
#endif
#define THRIFTWOOD_INLINE inline __attribute__((always_inline))

namespace thriftwood::optimal {

enum class Machine : std::uint8_t { Plain, Avx2, Avx512 };

inline Machine best_machine() {
#if THRIFTWOOD_X86
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq");
  return avx2 && avx512 ? Machine::Avx512 : avx2 ? Machine::Avx2 : Machine::Plain;
#else
  return Machine::Plain;
#endif
}

// What kernels are chosen by; tests set it to less.
inline Machine& machine() {
  static Machine found = best_machine();
  return found;
}

}  // namespace thriftwood::optimal
