// Reads TAP from stdin with the parser of node-tap, and gives what failed with all names above it.
const loaded = require('tap-parser');
const Parser = loaded.Parser ?? loaded;
const rows = [];
function walk(parser, found) {
  let below = [];
  parser.on('child', (child) => walk(child, below));
  parser.on('assert', (one) => {
    const name = one.name.replace(/ \{$/, '');
    const mine = below;
    below = [];
    if (one.ok || one.todo || one.skip) return;
    const at = one.diag?.at ?? {};
    if (mine.length) found.push(...mine.map((row) => ({ ...row, names: [name, ...row.names] })));
    else found.push({ names: [name], file: at.file ?? at.fileName, line: at.line ?? at.lineNumber });
  });
}
const parser = new Parser();
walk(parser, rows);
process.stdin.pipe(parser).on('complete', () => console.log(JSON.stringify(rows)));
