test('prints what others print', () => {
  console.log('FAIL src/other.test.js\n  ● Other › is no test\n\n    expect(received).toBe(expected)\n');
  console.error('  ● Another › is no test');
  process.stdout.write('  ● Bare › is no test\n\n    at Object.<anonymous> (src/decoy.test.js:3:11)\n\n');
  process.stdout.write('not ok 1 - no test\n  1 failing\n\n  1) no test:\n     Error: x\n');
});
test('retries', () => {
  globalThis.tries = (globalThis.tries ?? 0) + 1;
  expect(globalThis.tries).toBe(2);
});
jest.retryTimes(1);
