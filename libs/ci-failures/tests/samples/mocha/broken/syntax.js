describe('never', () => { const = 1; });
