import datetime as dt
from datetime import datetime, timedelta

start = datetime.now()
elapsed = datetime.now() - start
print(elapsed.total_seconds() < 5, elapsed < timedelta(seconds=5), isinstance(elapsed, timedelta))
print(timedelta(seconds=90), dt.timedelta(hours=1, minutes=2).seconds, repr(timedelta(1)))
day = datetime(2024, 5, 6, 7, 8)
print(day, day.strftime("%Y-%m-%d %H:%M"), day.isoformat(), f"{day:%d/%m}", day.weekday())
print((datetime(2024, 3, 1) - datetime(2024, 2, 1)).days, day + timedelta(days=1.5), day.date())
print(dt.datetime.today().year > 2000, dt.date.today().year > 2000, dt.date(2024, 2, 29).month)
print(day.replace(year=2025) > day, day.hour, day.microsecond, type(day).__name__)
try:
    datetime(2024, 13, 1)
except ValueError as error:
    print(error)
