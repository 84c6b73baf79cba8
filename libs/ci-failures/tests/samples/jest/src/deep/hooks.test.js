describe('hooks', () => {
  describe('before all', () => {
    beforeAll(() => {
      throw new Error('set-up failed');
    });
    test('one', () => {});
    test('two', () => {});
  });
  describe('after each', () => {
    afterEach(() => {
      throw new Error('tear-down failed');
    });
    test('three', () => {});
  });
});
describe.each([{ mode: 'fast' }, { mode: 'slow' }])('mode $mode', ({ mode }) => {
  test('works', () => {
    expect(mode).toBe('fast');
  });
});
test.failing?.('fails as it should', () => {
  throw new Error('known');
});
test.failing?.('ought to fail', () => {});
