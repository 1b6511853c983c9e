// Makes the routes of one pass from the slots that are to be counted or gathered.
#pragma once

#include <map>

#include "routes.hpp"
#include "slot.hpp"

namespace thriftwood {

class RouteMap {
 public:
  // The next goal is this slot.
  void lead_to(const Slot& slot);
  // The cases of this slot are led nowhere, not even with the rest of its parent's.
  void lead_past(const Slot& slot);
  // The next goal is whatever of the slot's cases is led to none of its branches, some of which were named.
  void lead_rest_of(const Slot& slot);
  Routes routes(const Coding& coding, std::vector<Index> features) const;

 private:
  struct Inner {
    const Fork* fork = nullptr;
    std::map<Side, const Slot*> branches;
    std::uint32_t rest = Routes::nowhere;
    std::size_t depth = 0;
  };

  // Notes the way to a slot.
  void enter(const Slot& slot);

  std::map<const Slot*, std::uint32_t> goals_;
  std::map<const Slot*, Inner> inner_;
  std::uint32_t next_ = Routes::goal;
};

}  // namespace thriftwood
