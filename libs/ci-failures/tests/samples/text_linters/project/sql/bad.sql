SELECT a,b from tbl where  x=1
  and y = 2
select * FROM  t
