export default { test: { include: ['src/**/*.test.mjs'] } };
