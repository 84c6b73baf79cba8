// A reporter that writes the result after each file: with --bail Jest ends before it writes its own.
const { writeFileSync } = require('fs');
module.exports = class {
  suites = [];
  onTestResult(test, result) {
    const failed = result.testResults.filter((one) => one.status === 'failed');
    const assertionResults = result.testResults.map((one) => ({ ...one, failureMessages: one.failureMessages }));
    const status = failed.length || result.testExecError ? 'failed' : 'passed';
    this.suites.push({ name: test.path, status, assertionResults, message: result.failureMessage ?? '' });
    writeFileSync('result.json', JSON.stringify({ testResults: this.suites }));
  }
};
