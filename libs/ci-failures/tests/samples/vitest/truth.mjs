// A reporter that writes what failed, suites as well: Vitest's JSON leaves out suites whose hooks fail.
import { writeFileSync } from 'node:fs';

const rows = [];
function walk(task, names) {
  if (task.result?.state === 'fail' && (task.type === 'test' || task.result.errors?.length)) {
    rows.push({ names, errors: task.result.errors ?? [], type: task.type });
  }
  for (const child of task.tasks ?? []) walk(child, [...names, child.name]);
}
function write(files, errors) {
  for (const file of files) walk(file, [file.name]);
  const found = rows.map((row) => ({ ...row, errors: row.errors.map(({ message, stack }) => ({ message, stack })) }));
  writeFileSync('result.json', JSON.stringify({ found, unhandled: (errors ?? []).map(({ stack }) => ({ stack })) }));
}
export default class {
  onFinished(files, errors) {
    if (rows.length === 0) write(files ?? [], errors);
  }
  onTestRunEnd(modules, errors) {
    if (rows.length === 0) write(modules.map((one) => one.task), errors);
  }
}
