// How objects of the core travel: by __getstate__ and __setstate__.
#pragma once

#include <nanobind/nanobind.h>

// What pickle does by itself from protocol 2 on. Programs that ask for __reduce__ outright, as skops does, are refused without it.
inline nanobind::tuple reduced(nanobind::handle self) {
  const auto made_anew = nanobind::module_::import_("copyreg").attr("__newobj__");
  return nanobind::make_tuple(made_anew, nanobind::make_tuple(self.type()), self.attr("__getstate__")());
}
