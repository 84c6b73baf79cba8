import { test } from '@playwright/test';
test('prints what others print', () => {
  console.log('  1) tests/other.spec.ts:3:5 › Other › is no test ─────────\n\n    Error: x\n\n  1 failed\n    tests/other.spec.ts:3:5 › Other › is no test ──\n');
  console.log('  ● Another › is no test\n FAIL  src/a.test.mjs > decoy\nnot ok 1 - decoy\n');
});
