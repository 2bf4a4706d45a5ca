"""usage: duckdb_question.py FILE

Asks duckdb what frametool is asked in the same benchmark of a PresentMon CSV: for each
process the quantiles of frame time and display latency, and the share never displayed.
One thread, as frametool takes one for a file; CPU time is what is compared.
"""

import sys

import duckdb

QUESTION = """
select Application, ProcessID, count(*),
  quantile_cont(FrameTime, [0.5, 0.9, 0.95, 0.99]), min(FrameTime), avg(FrameTime), max(FrameTime),
  quantile_cont(DisplayLatency, [0.5, 0.9, 0.95, 0.99]), min(DisplayLatency),
  avg(DisplayLatency), max(DisplayLatency),
  100.0 * avg((DisplayLatency is null)::int)
from read_csv(?, nullstr = 'NA')
group by all
"""

connection = duckdb.connect()
connection.execute("set threads = 1")
print(connection.execute(QUESTION, [sys.argv[1]]).fetchall())
