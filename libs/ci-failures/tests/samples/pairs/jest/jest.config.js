const junit = { outputFile: 'junit.xml', reportTestSuiteErrors: 'true' };
module.exports = { reporters: ['default', ['jest-junit', junit]] };
