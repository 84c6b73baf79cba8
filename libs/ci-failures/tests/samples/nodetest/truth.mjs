// A reporter that gives what the runner says of each failure, with the titles around it.
import path from 'node:path';

export default async function* truth(source) {
  const titles = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles.push(data.name);
    }
    const failure = data?.details?.error?.failureType;
    if (type !== 'test:fail' || failure === 'subtestsFailed' || data.todo !== undefined || data.skip !== undefined) continue;
    titles.length = data.nesting;
    const full = data.file?.replace(/^file:\/+/, '/') ?? ''; // Node 18 gives an address
    const file = full && path.relative('.', full);
    const whole = path.resolve(data.name) === full;
    yield `${JSON.stringify({ file, line: data.line, titles: whole ? [] : [...titles, data.name] })}\n`;
  }
}
