// SHA-256 of a text of ASCII. (The browser's own is not there for pages that are opened from a file.)

const ROUND = [];
const START = [];
{
  const fraction = (x) => (x - Math.floor(x)) * 4294967296 | 0;
  for (let n = 2; ROUND.length < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (START.length < 8) START.push(fraction(Math.sqrt(n)));
    ROUND.push(fraction(Math.cbrt(n)));
  }
}

function sha256(text) {
  const length = text.length;
  const blocks = Math.ceil((length + 9) / 64);
  const words = new Int32Array(64);
  const state = Int32Array.from(START);
  const turned = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < blocks; block += 1) {
    for (let i = 0; i < 16; i += 1) {
      let word = 0;
      for (let byte = 0; byte < 4; byte += 1) {
        const at = block * 64 + i * 4 + byte;
        const value = at < length ? text.charCodeAt(at) : at === length ? 0x80 : 0;
        word = (word << 8) | value;
      }
      words[i] = word;
    }
    if (block === blocks - 1) {
      words[14] = Math.floor((length * 8) / 4294967296);
      words[15] = (length * 8) | 0;
    }
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [words[i - 15], words[i - 2]];
      const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
      const high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
      words[i] = (words[i - 16] + low + words[i - 7] + high) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }
  return [...state].map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}
