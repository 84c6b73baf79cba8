describe('Hooks', () => {
  afterAll(() => { throw new Error('clean-up broke'); });
  test('one', () => {});
});
