import test from 'ava';
const x = ;
