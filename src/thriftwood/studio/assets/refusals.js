// What was refused: one line of the page, for problems of two sources.

const [TAKING, LEARNING] = ["taking", "learning"];
const NOT_STARTED = "The learner could not be started in this browser.";

// What was typed or opened ends with the next that is taken, what the learner refuses with its next tree. Of both the former is shown, and the
// latter once that is gone.
class Refusals {
  constructor(id) {
    this.id = id;
    this.words = new Map();
  }

  say(words, of) {
    this.words.set(of, words);
    this.show();
  }

  solved(of) {
    if (this.words.delete(of)) this.show();
  }

  show() {
    byId(this.id).textContent = this.words.get(TAKING) || this.words.get(LEARNING) || "";
    byId(this.id).hidden = !this.words.size;
  }
}
