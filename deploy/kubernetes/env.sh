# Common to the scripts here. Everything they make is under $K8S.
export K8S=${K8S:-${XDG_CACHE_HOME:-$HOME/.cache}/phasewise/kubernetes}
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
PROJECT=$(realpath "$here/../..")
export here PROJECT
# What is deployed: a release that is there already, or one that `build` makes of the last commit.
export RELEASE=${PHASEWISE_RELEASE:-$K8S/release}
# The newest line that runs on a kernel with control groups of version 1 without a switch.
export KUBE_VERSION=1.34.4 OPERATOR_VERSION=0.94.1 PROMETHEUS_VERSION=3.15.0 ALERTMANAGER_VERSION=0.31.1 HELM_VERSION=4.3.1 COREDNS_VERSION=1.14.7
export PATH=$K8S/bin:/usr/local/go/bin:$PATH
export KUBECONFIG=$K8S/run/admin.conf
export CGO_ENABLED=0 GOFLAGS="-buildvcs=false -trimpath -mod=mod"
say() { printf '%s\n' "$*" >&2; }
