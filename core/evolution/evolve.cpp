#include "evolve.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../basics/thread_pool.hpp"
#include "selection.hpp"

namespace thriftwood {

namespace {

// What a generation draws for.
enum Purpose : std::uint64_t { Beginning, Selecting, Shuffling, Crossing, Mutating, Staying, Judging };

void check(const Evolution& how) {
  const auto refuse = [](const char* what, const std::string& came) { throw InputError(std::string(what) + " Got " + came + "."); };
  if (how.population < 2) refuse("A population has at least 2 strings.", std::to_string(how.population));
  if (how.trials < 1) refuse("Evolution takes at least 1 trial.", std::to_string(how.trials));
  if (how.window < 1) refuse("The scaling window has at least 1 generation.", std::to_string(how.window));
  if (!(how.crossover >= 0.0 && how.crossover <= 1.0)) refuse("The crossover rate lies from 0 to 1.", std::to_string(how.crossover));
  if (!(how.gap > 0.0 && how.gap <= 1.0)) refuse("The generation gap lies above 0 and up to 1.", std::to_string(how.gap));
}

void shuffle(std::vector<std::size_t>& places, Draws draws) {
  for (std::size_t left = places.size(); left > 1; --left) std::swap(places[left - 1], places[draws.below(left)]);
}

class Run {
 public:
  Run(const Genome& genome, const Evolution& how, Stop& stop)
      : genome_(genome), how_(how), stop_(stop), pool_(how.threads), strings_(how.population, Bits(genome.bits())), bred_(strings_) {
    for (int i = 0; i < pool_.size(); ++i) judges_.push_back(genome.judge());
  }

  Evolved evolve(const Tell& tell) {
    const std::size_t generations = (how_.trials + how_.population - 1) / how_.population;
    std::size_t waited = 0;
    for (generation_ = 0; generation_ < generations && evolved_.end == Evolved::End::Trials; ++generation_) {
      if (generation_ == 0)
        begin();
      else
        breed();
      waited = judge() ? 0 : waited + 1;
      const bool enough = whole() && tell && !tell(generation_ + 1, generations, evolved_.history.back());
      evolved_.end = enough ? Evolved::End::Asked : end(waited, generations);
    }
    return std::move(evolved_);
  }

 private:
  Key key(Purpose purpose) const { return key_below(key_below(how_.seed, generation_), purpose); }
  Draws draws(Purpose purpose, std::size_t place = 0) const { return Draws(key_below(key(purpose), place)); }

  // What ends it now; Trials: nothing does before all are made.
  Evolved::End end(std::size_t waited, std::size_t generations) const {
    if (stop_.why() == Stop::Why::Asked) return Evolved::End::Asked;
    if (whole() && generation_ + 1 == generations) return Evolved::End::Trials;
    if (stop_.why() == Stop::Why::Time) return Evolved::End::Time;
    return how_.patience > 0 && waited >= how_.patience ? Evolved::End::Patience : Evolved::End::Trials;
  }

  // Whether all strings of the generation were judged.
  bool whole() const { return judged_ == strings_.size(); }

  void begin() {
    for (made_ = 0; made_ < strings_.size() && (made_ == 0 || !stop_.reached()); ++made_)
      genome_.begin(strings_[made_], made_, draws(Beginning, made_));
  }

  // Returns whether there is a new best.
  bool judge() {
    costs_.assign(strings_.size(), std::nan(""));
    const std::size_t block = std::clamp<std::size_t>(genome_.worth_a_thread(), 1, made_);
    const Key trials = key(Judging);
    const auto work = [&](std::size_t task, int worker) {
      const std::size_t end = std::min((task + 1) * block, made_);
      for (std::size_t i = task * block; i < end; ++i) {
        const double cost = judges_[static_cast<std::size_t>(worker)]->cost(strings_[i], key_below(trials, i));
        costs_[i] = std::isnan(cost) ? infinity : cost;  // beyond what a number holds
      }
    };
    try {
      pool_.run((made_ + block - 1) / block, work, [&] { return !stop_.reached(); });
    } catch (const Interrupted&) {
      if (std::all_of(costs_.begin(), costs_.end(), [](double cost) { return std::isnan(cost); })) return nothing_judged();
    }
    return take_note(trials);
  }

  bool nothing_judged() {
    if (generation_ == 0) throw Interrupted{};  // there is no string to keep
    judged_ = 0;
    return false;
  }

  bool take_note(Key trials) {
    std::size_t best = strings_.size();
    double sum = 0.0;
    judged_ = 0;
    worst_.push_back(-infinity);
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      if (std::isnan(costs_[i])) continue;  // not judged any more
      if (best == strings_.size() || costs_[i] < costs_[best]) best = i;
      worst_.back() = std::max(worst_.back(), costs_[i]);
      sum += costs_[i];
      ++judged_;
    }
    if (worst_.size() > how_.window) worst_.erase(worst_.begin());
    evolved_.trials += judged_;
    evolved_.history.push_back({costs_[best], sum / static_cast<double>(judged_)});
    if (whole() || generation_ == 0) {  // a part of a generation may have its worst strings alone
      evolved_.last = strings_[best];
      evolved_.last_cost = costs_[best];
    }
    const bool better = generation_ == 0 || costs_[best] < evolved_.cost;
    if (better) {
      evolved_.best = strings_[best];
      evolved_.cost = costs_[best];
      evolved_.trial = key_below(trials, best);
    }
    return better;
  }

  void breed() {
    const auto copies = expected_copies(costs_, *std::max_element(worst_.begin(), worst_.end()));
    const std::size_t all = strings_.size();
    const auto fresh = std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(how_.gap * static_cast<double>(all))), 1, all);
    auto parents = sample_evenly(copies, fresh, draws(Selecting).unit());
    shuffle(parents, draws(Shuffling));
    for (std::size_t i = 0; i < fresh; ++i) bred_[i] = strings_[parents[i]];
    const auto crossed = static_cast<std::size_t>(how_.crossover * static_cast<double>(fresh) + 1e-9);
    for (std::size_t i = 0; i + 1 < crossed; i += 2) genome_.cross(bred_[i], bred_[i + 1], draws(Crossing, i));
    for (std::size_t i = 0; i < fresh; ++i) genome_.mutate(bred_[i], draws(Mutating, i));
    if (fresh < all) stay(fresh);
    if (how_.elitist && std::find(bred_.begin(), bred_.end(), evolved_.last) == bred_.end()) bred_.back() = evolved_.last;
    std::swap(strings_, bred_);
  }

  void stay(std::size_t fresh) {
    std::vector<std::size_t> places(strings_.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    shuffle(places, draws(Staying));
    for (std::size_t i = fresh; i < strings_.size(); ++i) bred_[i] = strings_[places[i]];
  }

  const Genome& genome_;
  const Evolution& how_;
  Stop& stop_;
  ThreadPool pool_;
  std::vector<std::unique_ptr<Judge>> judges_;  // one per thread
  std::size_t generation_ = 0;
  std::vector<Bits> strings_, bred_;  // bred_: the next generation, while it is made
  std::vector<double> costs_;
  std::size_t made_ = 0;              // of the first generation: long strings take a while
  std::size_t judged_ = 0;            // of this generation
  std::vector<double> worst_;         // of the last generations, as many as the window has
  Evolved evolved_;
};

}  // namespace

Evolved evolve(const Genome& genome, const Evolution& how, Stop& stop, const Tell& tell) {
  check(how);
  return Run(genome, how, stop).evolve(tell);
}

}  // namespace thriftwood
