import os, sys
import json
def unused_thing( a,b ):
    x = 1
    l = eval("1+1")
    password = "hunter2"
    os.system("ls " + a)
    try:
        return undefined_name
    except:
        pass
class foo:
  def bar(self):
        return "recieve teh file"   
def typed(a: int) -> str:
    return a + 1
