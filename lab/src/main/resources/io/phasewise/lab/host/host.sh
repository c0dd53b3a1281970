# Wires one host: PID NETWORK NUMBER COUNT. PID holds its network namespace; hosts are numbered from 1 to COUNT.
# Packets to other hosts leave by `wire`, a VXLAN whose other end is the relay in this process's namespace. So what the
# relay holds back is whole packets, handshakes and acknowledgements of TCP among them. The route added here leads from
# outside straight to the host, without the relay.
pid=$1 network=$2 number=$3 count=$4
outside=172.31.$network.$((4 * number + 1))
within=172.31.$network.$((4 * number + 2))
card=pw$network-$number
mac() { printf '02:00:00:00:00:%02x' "$1"; }
inside() { nsenter --net="/proc/$pid/ns/net" -- "$@"; }

ip link add "$card" type veth peer name under netns "$pid"
ip addr add "$outside/30" dev "$card"
ip link set "$card" up
inside ip link set lo up
inside ip addr add "$within/30" dev under
inside ip link set under up
inside ip link add wire address "$(mac "$number")" mtu 1400 \
  type vxlan id 7 local "$within" remote "$outside" dstport 4789
# Checksums and segments that a network card would make are not made for a packet that a program takes over.
inside ethtool -K wire tx off >/dev/null
inside ip addr add "10.77.$network.$number/24" dev wire
inside ip link set wire up
for ((other = 1; other <= count; other++)); do
  [ "$other" = "$number" ] || inside ip neigh add "10.77.$network.$other" lladdr "$(mac "$other")" dev wire
done
ip route add "10.77.$network.$number/32" via "$within"
