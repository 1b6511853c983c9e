// Programs compiled with -finstrument-functions, which call a hook at the beginning and end of every function.
#pragma once

#include <cstdint>
#include <string>

namespace thriftwood::clarify {

// Makes the profile file of a program that has hooks. False when nothing is to be recorded, or when its functions have sleds: then those count.
bool begin_hooked_process();
std::uint32_t add_function(const std::string& name);
void add_build(const std::string& build);

// Around a fork: the child must not inherit tables that another thread is changing.
void before_fork_of_hooks();
void after_fork_of_hooks(bool child);

}  // namespace thriftwood::clarify
