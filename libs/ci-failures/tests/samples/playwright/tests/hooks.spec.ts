import { expect, test } from '@playwright/test';

test.describe('hooks', () => {
  test.describe('before all', () => {
    test.beforeAll(() => {
      throw new Error('set-up failed');
    });
    test('one', () => {});
    test('two', () => {});
  });
  test.describe('after each', () => {
    test.afterEach(() => {
      throw new Error('tear-down failed');
    });
    test('three', () => {});
  });
});
test.describe.serial('in a row', () => {
  test('first', () => {
    expect(1).toBe(2);
  });
  test('second', () => {});
});
test('fails as it should', () => {
  test.fail();
  throw new Error('known');
});
test('ought to fail', () => {
  test.fail();
});
test('is flaky', ({}, info) => {
  expect(info.retry).toBe(1);
});
