import { writeFileSync } from 'node:fs';
import path from 'node:path';

// Writes what the runner itself says of each test.
export default class {
  rows: object[] = [];
  suite: any;
  onBegin(config: any, suite: any) {
    this.suite = suite;
    this.root = process.env.FROM_ROOT ? process.cwd() : config.rootDir;
  }
  root = '';
  onError(error: any) {
    if (error.location) this.rows.push({ kind: 'compile', file: path.relative(process.cwd(), error.location.file), line: error.location.line });
    else this.rows.push({ kind: 'other', message: error.message });
  }
  onEnd() {
    for (const test of this.suite?.allTests() ?? []) {
      const [, project, , ...titles] = test.titlePath();
      const tags = (test.tags ?? []).filter((tag: string) => !titles.join(' ').includes(tag));
      const { line, column, file } = test.location;
      this.rows.push({ kind: 'test', project, titles, tags, line, column, shown: path.relative(this.root, file), file: path.relative(process.cwd(), file), outcome: test.outcome(), ran: test.results.map((one: any) => one.status) });
    }
    writeFileSync('result.json', JSON.stringify(this.rows));
  }
}
