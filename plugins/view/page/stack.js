// The stack: what the pull request stands on, and what stands on it, by the branches of open pull requests.

/** @typedef {{ row: Json, depth: number, under: number }} Level */

const LEVEL_HEIGHT = 62;
const LEVEL_INDENT = 28;
const STACK_WIDTH = 560;
const MOST_LEVELS = 30;

/**
 * Return the levels of the stack that a pull request belongs to, the lowest first.
 * @param {Json[]} rows Open pull requests, as `pr_list` lists them.
 * @param {number} number The pull request.
 * @returns {Level[]}
 */
function findLevels(rows, number) {
  const here = rows.find((row) => row.number === number);
  if (!here) return [];
  const below = [here];
  for (;;) {
    const under = rows.find((row) => !row.from_fork && row.head === below[0].base && !below.includes(row));
    if (!under) break;
    below.unshift(under);
  }
  /** @type {Level[]} */
  const levels = [];
  const seen = new Set();
  /** @param {Json} row @param {number} depth @param {number} under */
  const add = (row, depth, under) => {
    if (seen.has(row.number) || levels.length >= MOST_LEVELS) return;
    seen.add(row.number);
    const index = levels.push({ row, depth, under }) - 1;
    const above = row.from_fork ? [] : rows.filter((one) => one.base === row.head);
    above.forEach((one, place) => add(one, depth + (place ? 1 : 0), index));
  };
  add(below[0], 0, -1);
  return levels;
}

/**
 * Draw a stack, its base branch at the bottom.
 * @param {Level[]} levels
 * @param {number} number The pull request to mark.
 */
function drawStack(levels, number) {
  const height = (levels.length + 1) * LEVEL_HEIGHT;
  /** @param {number} index */
  const top = (index) => height - (index + 2) * LEVEL_HEIGHT + 8;
  const base = String(levels[0].row.base);
  const label = `A stack of ${formatCount(levels.length, "pull request")} on ${base}`;
  const drawing = create("svg:svg", { viewBox: `0 0 ${STACK_WIDTH} ${height}`, width: STACK_WIDTH, height, role: "img", "aria-label": label });
  for (const [index, level] of levels.entries()) {
    const from = level.under < 0 ? 0 : levels[level.under].depth;
    const [x, y] = [level.depth * LEVEL_INDENT + 12, top(index) + 46];
    const foot = top(level.under);
    drawing.append(create("svg:path", { d: `M ${x} ${y} V ${foot - 8} L ${from * LEVEL_INDENT + 12} ${foot}` }));
  }
  drawing.append(drawBox(0, top(-1), base, "base branch", false));
  for (const [index, { row, depth }] of levels.entries()) {
    const state = row.draft ? "draft, " : "";
    const small = `${state}${shorten(String(row.head), 34)} into ${shorten(String(row.base), 24)}`;
    drawing.append(drawBox(depth * LEVEL_INDENT, top(index), `#${row.number} ${row.title}`, small, row.number === number));
  }
  return drawing;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} title
 * @param {string} small
 * @param {boolean} here
 */
function drawBox(x, y, title, small, here) {
  const letters = Math.floor((STACK_WIDTH - x) / 9) - 2;
  return create(
    "svg:g",
    { class: here ? "here" : null },
    create("svg:rect", { x: x + 2, y, width: STACK_WIDTH - x - 4, height: 46, rx: 6 }),
    create("svg:text", { x: x + 14, y: y + 19 }, shorten(title, letters)),
    create("svg:text", { x: x + 14, y: y + 37, class: "small" }, shorten(small, letters)),
  );
}
