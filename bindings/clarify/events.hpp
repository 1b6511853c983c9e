// Where events come from: frames.cpp on Python 3.11, monitoring.cpp from 3.12 on.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace thriftwood::clarify::python {

// From now on every start of a function's body is recorded (and, for call trees, its end). False with an exception set.
bool record_events();

// From now on the functions of the plan are watched, and no others. `with_tick` of thriftwood.clarify.ticking is for 3.11 alone.
bool watch_events(PyObject* with_tick);

}  // namespace thriftwood::clarify::python
