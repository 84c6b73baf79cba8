#!/bin/sh
echo $1
if [ $x == y ]; then
  cd foo
fi
arr=(1 2)
