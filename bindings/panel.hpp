// Python's Panel: a panel, and the trees it looks at.
#pragma once

#include "arrays.hpp"
#include "ensembles/panel.hpp"

struct PyPanel {
  std::vector<nb::object> keep;
  thriftwood::Panel panel;
};
