// Writes what each test throws, as uvu itself has no result file.
const { appendFileSync } = require('fs');
module.exports = (file, suite, add) => (name, run) => add(name, async () => {
  try { await run(); } catch (error) {
    appendFileSync('result.jsonl', `${JSON.stringify({ name: [file, suite, name].filter(Boolean).join(' > '), stack: error.stack })}\n`);
    throw error;
  }
});
