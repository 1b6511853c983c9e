// Functions that were made before the hook came.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace thriftwood::clarify::python {

// Calls `visit(function)` for each until it returns false. False with an exception set when that happened or they cannot be listed.
template <class Visit>
bool each_loaded_function(Visit&& visit) {
  PyObject* const modules = PyImport_GetModuleDict();  // borrowed
  const bool had_gc = PyDict_GetItemString(modules, "gc") != nullptr;
  PyObject* const gc = PyImport_ImportModule("gc");
  PyObject* const objects = gc ? PyObject_CallMethod(gc, "get_objects", nullptr) : nullptr;
  bool done = objects != nullptr;
  for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(objects); ++i) {
    PyObject* const object = PyList_GET_ITEM(objects, i);
    if (PyFunction_Check(object)) done = visit(object);
  }
  if (done && !had_gc) done = PyDict_DelItemString(modules, "gc") == 0;
  Py_XDECREF(objects);
  Py_XDECREF(gc);
  return done;
}

}  // namespace thriftwood::clarify::python
