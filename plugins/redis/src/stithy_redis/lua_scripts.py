"""The rules for several processes in Lua: Redis runs each script in one step.

The caller passes the time, unless only Redis itself compares it. A test compares each script with the rules of one
process. Numbers are returned as text, since Redis truncates a number of Lua to an integer.
"""

from typing import Final

WINDOW: Final = """
local function wait(key, amount, most, now)
  if most == 0 then return 0 end
  local seconds, total = {}, 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local second, paid = tonumber(all[i]), tonumber(all[i + 1])
    if second + 61 <= now then redis.call('HDEL', key, all[i])
    else total = total + paid; seconds[#seconds + 1] = {second, paid} end
  end
  if total == 0 then return 0 end
  local over = total + amount - most
  if over <= 0 then return 0 end
  table.sort(seconds, function(a, b) return a[1] < b[1] end)
  for _, one in ipairs(seconds) do
    over = over - one[2]
    if over <= 0 then return one[1] + 61 - now end
  end
  return 60
end
local function pay(key, amount, most, now)
  if most == 0 then return end
  redis.call('HINCRBY', key, math.floor(now), amount)
  redis.call('EXPIRE', key, 120)
end
"""

TAKE: Final = (
    WINDOW
    + """
local account, points, writes, leases = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now, both, first, amount = tonumber(ARGV[1]), ARGV[2], ARGV[3], tonumber(ARGV[4])
local most_points, write, most_writes = tonumber(ARGV[5]), ARGV[6] == '1', tonumber(ARGV[7])
local concurrent, lease, ends, free = tonumber(ARGV[8]), ARGV[9], ARGV[10], ARGV[11] == '1'
local blocked = tonumber(redis.call('HGET', account, 'blocked') or '0')
if blocked > now then return {tostring(blocked - now), 'blocked', ''} end
local resource = redis.call('HGET', account, 'area:' .. both) or redis.call('HGET', account, 'area:' .. first) or ''
local left = tonumber(redis.call('HGET', account, 'left:' .. resource))
local ending = tonumber(redis.call('HGET', account, 'until:' .. resource) or '0')
if left and not free and ending > now and left <= 0 then return {tostring(ending - now), 'limit', resource} end
local delay = write and wait(writes, 1, most_writes, now) or 0
if delay > 0 then return {tostring(delay), 'writes', ''} end
delay = wait(points, amount, most_points, now)
if delay > 0 then return {tostring(delay), 'points', ''} end
redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
if redis.call('ZCARD', leases) >= concurrent then return {'0.05', 'slots', ''} end
redis.call('ZADD', leases, ends, lease)
redis.call('EXPIRE', leases, 300)
if left and not free then redis.call('HINCRBY', account, 'left:' .. resource, -1) end
if write then pay(writes, 1, most_writes, now) end
pay(points, amount, most_points, now)
return {'0', '', resource}
"""
)

SETTLE: Final = """
local account, leases = KEYS[1], KEYS[2]
local now, resource, free, lease = tonumber(ARGV[1]), ARGV[2], ARGV[3] == '1', ARGV[4]
redis.call('ZREM', leases, lease)
if free and redis.call('HEXISTS', account, 'left:' .. resource) == 1 then
  redis.call('HINCRBY', account, 'left:' .. resource, 1)
end
if #ARGV < 9 then return end
local both, first, told, remaining, ending = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
if redis.call('HSETNX', account, 'area:' .. first, told) == 1
  or redis.call('HGET', account, 'area:' .. first) == told then redis.call('HDEL', account, 'area:' .. both)
elseif redis.call('HLEN', account) < 1000 then redis.call('HSET', account, 'area:' .. both, told) end
local left = tonumber(redis.call('HGET', account, 'left:' .. told))
local known = tonumber(redis.call('HGET', account, 'until:' .. told) or '0')
if not left or known <= now or ending > known + 2 then
  redis.call('HSET', account, 'left:' .. told, remaining, 'until:' .. told, ARGV[9])
elseif ending >= known - 2 then
  redis.call('HSET', account, 'left:' .. told, math.min(left, remaining))
end
redis.call('EXPIRE', account, 14400)
"""

PENALISE: Final = """
local account, now, given = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local first, longest = tonumber(ARGV[3]), tonumber(ARGV[4])
local blocked = tonumber(redis.call('HGET', account, 'blocked') or '0')
local wait = given
if not wait then
  if blocked > now then return tostring(blocked - now) end
  local penalties = tonumber(redis.call('HGET', account, 'penalties') or '0')
  if tonumber(redis.call('HGET', account, 'forgiven') or '0') <= now then penalties = 0 end
  wait = math.min(first * 2 ^ penalties, longest)
  redis.call('HSET', account, 'penalties', penalties + 1, 'forgiven', tostring(now + 3 * wait))
end
blocked = math.max(blocked, now + math.min(wait, longest))
redis.call('HSET', account, 'blocked', string.format('%.3f', blocked))
redis.call('EXPIRE', account, 14400)
return tostring(wait)
"""

ADMIT: Final = """
local host, now, probe = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
if redis.call('EXISTS', host) == 0 then return {'0', 'clean', ''} end
local opened = tonumber(redis.call('HGET', host, 'open') or '0')
if opened == 0 then return {'0', '', ''} end
local wait = math.max(opened, tonumber(redis.call('HGET', host, 'probed') or '0')) - now
if wait > 0 then return {tostring(wait), '', redis.call('HGET', host, 'reason') or ''} end
redis.call('HSET', host, 'probed', string.format('%.3f', now + probe))
return {'0', 'probe', ''}
"""

FAILED: Final = """
local host, now, probe = KEYS[1], tonumber(ARGV[1]), ARGV[2] == '1'
local most, open = tonumber(ARGV[3]), tonumber(ARGV[4])
local failures = redis.call('HINCRBY', host, 'failures', 1)
redis.call('HSET', host, 'reason', ARGV[5])
if probe or (not redis.call('HGET', host, 'open') and failures >= most) then
  redis.call('HSET', host, 'open', string.format('%.3f', now + open), 'probed', '0')
end
redis.call('EXPIRE', host, 3600)
"""

SUCCEEDED: Final = """
if ARGV[1] == '1' or not redis.call('HGET', KEYS[1], 'open') then redis.call('DEL', KEYS[1]) end
"""

RELEASED: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'probed', '0') end
"""

CLAIM: Final = """
local write, now, elapsed = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[4])
local began = redis.call('HGET', write, 'began')
local made = redis.call('HGET', write, 'made')
if began and not made and tonumber(redis.call('HGET', write, 'lease') or '0') > now then return {began, '1'} end
if made then
  local time = redis.call('TIME')
  if tonumber(made) <= time[1] + time[2] / 1000000 - elapsed then
    redis.call('DEL', write)
    began = nil
  end
  redis.call('HDEL', write, 'made')
end
redis.call('HSETNX', write, 'began', ARGV[1])
redis.call('HSET', write, 'lease', ARGV[2])
redis.call('EXPIRE', write, ARGV[3])
return {began or '', '0'}
"""

RELEASE: Final = """
if ARGV[1] == '0' then return redis.call('DEL', KEYS[1]) end
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'lease', '0', 'made', string.format('%.6f', time[1] + time[2] / 1000000))
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""
