# Runs one server at a time for a test process, and lets it outlive neither stop nor end of that process.
#
#   sh watchdog.sh FOLDER SIGNAL GRACE_MS
#
# Orders come one per line on standard input:
#   start   runs FOLDER/command; its process id is then in FOLDER/pid, its output in FOLDER/log
#   stop    sends SIGNAL, and KILL when the server is still there after GRACE_MS
#   kill    sends KILL
# FOLDER/answered holds the number of orders carried out. When the server ends, for whatever reason, its
# status is in FOLDER/exited.
#
# The test process holds the other end of standard input. When it goes away, whatever ended it, `read` fails
# here: the server is stopped and FOLDER removed.
set -u
folder=$1
signal=$2
grace_ms=$3
cd "$folder" || exit 1
echo none >exited

launch() {
  sh ./command </dev/null >>log 2>&1 &
  echo "$!" >pid.new
  mv pid.new pid
  wait "$!"
  echo "$?" >exited.new
  mv exited.new exited
}

halt() {
  [ -e exited ] && return
  kill -s "$1" "$(cat pid)" 2>/dev/null
  waited_ms=0
  until [ -e exited ]; do
    [ "$waited_ms" -eq "$grace_ms" ] && kill -s KILL "$(cat pid)" 2>/dev/null
    waited_ms=$((waited_ms + 20))
    sleep 0.02
  done
}

answered=0
while read -r order; do
  case $order in
    start)
      halt "$signal"
      rm -f pid exited
      launch &
      until [ -e pid ]; do sleep 0.01; done
      ;;
    stop) halt "$signal" ;;
    kill) halt KILL ;;
  esac
  answered=$((answered + 1))
  echo "$answered" >answered.new
  mv answered.new answered
done

halt "$signal"
cd /
# What the server leaves behind may still be writing: once more, after it had time to notice.
rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }
