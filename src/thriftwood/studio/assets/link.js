// A link: a scenario in the address of the page. It waits until the table is there whose prices it holds.

class Link {
  static isOne(hash) {
    return hash.startsWith("#s=");
  }

  static hashOf({ table, target, costs, learner, weight }) {
    const bytes = new TextEncoder().encode(JSON.stringify({ table, target, costs, learner, weight }));
    const text = Array.from(bytes, (one) => String.fromCharCode(one)).join(""); // one by one: a call takes only so many arguments
    return `#s=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
  }

  // Null where it is damaged.
  static contentOf(hash) {
    try {
      const text = atob(hash.slice(3).replace(/-/g, "+").replace(/_/g, "/"));
      return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (one) => one.charCodeAt(0))));
    } catch {
      return null;
    }
  }

  constructor(hash) {
    this.content = Link.contentOf(hash);
    const { table, target, costs } = this.content || {};
    this.table = isText(table) ? table.replace(/ \d+ \d+$/, "") : ""; // without its size, as `Studio.load` writes it
    this.target = isText(target) ? target : "";
    this.classes = isRecord(costs) && isRecord(costs.errors) ? Object.keys(costs.errors) : null;
  }

  // The column of a table that it is about, if it is of that: null where nothing tells it.
  targetIn(text, name) {
    if (!this.isOfTable(name)) return null;
    return this.target || (this.classes && columnOfClasses(text, this.classes));
  }

  // Its scenario, if that is one of the table with which the page begins; null otherwise.
  scenario(initial) {
    return checkedScenario(this.content, initial);
  }

  // Whether it is of the open table and of what is learnt there: where it does not call that, its classes say it.
  isOf(open) {
    if (!open || !this.isOfTable(open.name) || !agree(this.target, open.target)) return false;
    return Boolean(this.target || !open.target || !this.classes) || sameNames(this.classes, open.classes);
  }

  isOfTable(name) {
    return plainName(this.table) === plainName(name);
  }

  // Where it does not fit: one that nobody can read waits for nothing, nor does one whose table is open.
  mayWaitBeside(open) {
    return this.table !== "" && !this.isOf(open);
  }

  // What to say where it does not fit the table that is open; `instead`: what holds now.
  words(open, instead) {
    if (this.isOf(open) || !this.table) return `The link's prices could not be read, or are of another table: ${instead}.`;
    return `This link holds prices of ${this.table}${this.target && `, where ${this.target} is learnt`}: open that table, and they are there.`;
  }
}
