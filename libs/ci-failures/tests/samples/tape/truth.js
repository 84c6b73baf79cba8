// Asks tape itself: an object stream of what it found, in the same process as the printed stream.
const { writeFileSync } = require('fs');
const rows = [];
process.on('exit', () => writeFileSync('result.json', JSON.stringify(rows))); // before that of tape, which is the last
const tape = require('tape');
const titles = {};
tape.createStream({ objectMode: true }).on('data', (row) => {
  if (row.type === 'test') titles[row.id] = { name: row.name, todo: row.todo };
  const around = titles[row.test] ?? {};
  if (row.type === 'assert' && !row.ok && !row.todo && !around.todo) rows.push({ title: around.name, file: row.file, line: row.line });
});
require('./auth.test.js');
