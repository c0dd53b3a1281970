// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

//go:build kubernetes

// Package kubernetes tries the deployment on a Kubernetes that `./run` made, as deploy/README.md tells a user to.
package kubernetes

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const namespace = "phasewise"

var (
	cache = os.Getenv("K8S")
	// release is the directory that `./phasewise release` made: images, agent, chart.
	release = os.Getenv("RELEASE")
	// rows become the page docs/evidence/kubernetes.md.
	rows [][]string
)

func note(way, what string, result any) {
	rows = append(rows, []string{way, what, fmt.Sprint(result)})
	fmt.Printf("%s | %s | %v\n", way, what, result)
}

func output(name string, arguments ...string) (string, error) {
	command := exec.Command(name, arguments...)
	out, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

func kubectl(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := output("kubectl", arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// within waits until a condition holds, and says how long that took.
func within(t *testing.T, bound time.Duration, what string, holds func() (bool, string)) time.Duration {
	t.Helper()
	began := time.Now()
	var last string
	for time.Since(began) < bound {
		ok, why := holds()
		if ok {
			return time.Since(began).Round(100 * time.Millisecond)
		}
		last = why
		time.Sleep(300 * time.Millisecond)
	}
	t.Fatalf("%s: not within %v: %s", what, bound, last)
	return 0
}

func secret(t *testing.T, name string, literals map[string]string) {
	t.Helper()
	arguments := []string{"-n", namespace, "create", "secret", "generic", name}
	for key, value := range literals {
		arguments = append(arguments, "--from-literal="+key+"="+value)
	}
	kubectl(t, arguments...)
}

// credentials are the canary's, in a namespace that is there.
func credentials(t *testing.T) {
	t.Helper()
	authority, err := os.ReadFile(filepath.Join(cache, "tls/ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	kubectl(t, "apply", "-f", "../examples/production/namespace.yaml")
	secret(t, "kafka-canary", map[string]string{"password": "canary-secret"})
	secret(t, "kafka-ca", map[string]string{"ca.crt": string(authority)})
}

// prerequisites are what deploy/README.md says has to be there first, and a volume, which this cluster has no provisioner for.
func prerequisites(t *testing.T) {
	t.Helper()
	kubectl(t, "delete", "ns", namespace, "--ignore-not-found", "--wait=true")
	kubectl(t, "delete", "pv", "prometheus", "--ignore-not-found")
	// The rights of the canary's user, which the removal took away.
	if _, err := output("./cluster"); err != nil {
		t.Fatal(err)
	}
	credentials(t)
	const receiver = "http://receiver.receiver.svc:8080"
	secret(t, "phasewise-alertmanager-credentials", map[string]string{
		"smtp-password": "x", "pagerduty-kafka": "k", "pagerduty-monitoring": "k",
		"slack-webhook": receiver + "/slack", "ticket-webhook": receiver + "/tickets", "dead-mans-switch": receiver + "/watchdog",
	})
	directory := filepath.Join(cache, "run/pv-prometheus")
	os.RemoveAll(directory)
	if err := os.MkdirAll(directory, 0o777); err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("manifests/volume.yaml")
	if err != nil {
		t.Fatal(err)
	}
	applyText(t, strings.ReplaceAll(string(manifest), "@DIRECTORY@", directory))
}

func applyText(t *testing.T, manifest string) {
	t.Helper()
	command := exec.Command("kubectl", "apply", "-f", "-")
	command.Stdin = strings.NewReader(manifest)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// query asks the Prometheus under test.
func query(t *testing.T, expression string) ([]map[string]string, error) {
	t.Helper()
	ip, err := output("kubectl", "-n", namespace, "get", "pod", "prometheus-kafka-0", "-o", "jsonpath={.status.podIP}")
	if err != nil || ip == "" {
		return nil, fmt.Errorf("no Prometheus yet: %v", err)
	}
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get("http://" + ip + ":9090/api/v1/query?query=" + url.QueryEscape(expression))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct {
		Data struct {
			Result []struct{ Metric map[string]string }
		}
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	var found []map[string]string
	for _, series := range answer.Data.Result {
		found = append(found, series.Metric)
	}
	return found, err
}

// count waits until an expression has so many series.
func count(t *testing.T, bound time.Duration, what string, expression string, want int) time.Duration {
	t.Helper()
	return within(t, bound, what, func() (bool, string) {
		found, err := query(t, expression)
		return err == nil && len(found) == want, fmt.Sprint(expression, ": ", found, err)
	})
}

// delivered waits until a notification came that has all the words, since an instant.
func delivered(t *testing.T, bound time.Duration, since time.Time, words ...string) time.Duration {
	t.Helper()
	return within(t, bound, "a notification with "+strings.Join(words, ", "), func() (bool, string) {
		log, err := output("kubectl", "-n", "receiver", "logs", "deploy/receiver", "--since-time="+since.UTC().Format(time.RFC3339))
		for _, line := range strings.Split(log, "\n") {
			all := true
			for _, word := range words {
				all = all && strings.Contains(line, word)
			}
			if all {
				return true, ""
			}
		}
		return false, fmt.Sprint(err)
	})
}

// everything is what has to come to life, and to show a fault, whichever way it was deployed.
func everything(t *testing.T, way string) {
	began := time.Now()
	kubectl(t, "-n", namespace, "rollout", "status", deployment(t), "--timeout=180s")
	for job, targets := range map[string]int{"kafka-canary": 1, "kafka-broker": 3, "kafka-controller": 1, "prometheus": 1, "alertmanager": 3} {
		count(t, 4*time.Minute, job, fmt.Sprintf(`up{job=~".*%s.*"} == 1`, job), targets)
	}
	note(way, "every target up: canary, 3 brokers, controller, Prometheus, 3 Alertmanagers", time.Since(began).Round(time.Second))
	count(t, 2*time.Minute, "phases of every leader", `histogram_count(sum by (leader) (rate(kafka_canary_phase_latency_seconds{phase="commit"}[2m]))) > 0`, 3)
	count(t, time.Minute, "rules that fail", `increase(prometheus_rule_evaluation_failures_total[2m]) > 0`, 0)
	delivered(t, 3*time.Minute, began.Add(-time.Minute), "/watchdog")
	note(way, "Watchdog delivered", "yes")

	enforced(t, way)
	killed(t, way)
	rolled(t, way)
	unprovoked(t, way)
	demoted(t, way)
	outage(t, way)
	lostBroker(t, way)
}

// deployment is the canary's: Kustomize and Helm name it differently.
func deployment(t *testing.T) string {
	t.Helper()
	return kubectl(t, "-n", namespace, "get", "deploy", "-l", "app.kubernetes.io/name=kafka-canary", "-o", "name")
}

// enforced: nobody but Prometheus reaches the canary's page, nobody but it and the canary the exporters.
func enforced(t *testing.T, way string) {
	canary := kubectl(t, "-n", namespace, "get", "pod", "-l", "app.kubernetes.io/name=kafka-canary", "-o", "jsonpath={.items[0].status.podIP}")
	reach := func(from []string, command ...string) bool {
		_, err := output("kubectl", append(append([]string{"exec"}, from...), append([]string{"--"}, command...)...)...)
		return err == nil
	}
	if reach([]string{"-n", "kafka", "prod-broker-0", "-c", "kafka"}, "bash", "-c", "timeout 3 bash -c '</dev/tcp/"+canary+"/9470'") {
		t.Error("a broker's pod reaches the canary's page")
	}
	// The canary's image has busybox only.
	canaryReaches := func(host, port string) bool {
		return reach([]string{"-n", namespace, deployment(t)}, "nc", "-w", "3", host, port, "-e", "/usr/bin/busybox", "true")
	}
	if !canaryReaches("prod-kafka-bootstrap.kafka.svc", "9094") {
		t.Error("the canary does not reach Kafka")
	}
	if canaryReaches("receiver.receiver.svc", "8080") {
		t.Error("the canary reaches what it has no business with")
	}
	note(way, "the canary's policy: its page closed to a broker's pod, Kafka open to it, another service closed to it", "enforced")
}

func killed(t *testing.T, way string) {
	before := kubectl(t, "-n", namespace, "get", "pod", "-l", "app.kubernetes.io/name=kafka-canary", "-o", "jsonpath={.items[0].metadata.name}")
	began := time.Now()
	kubectl(t, "-n", namespace, "delete", "pod", before, "--grace-period=0", "--force")
	kubectl(t, "-n", namespace, "rollout", "status", deployment(t), "--timeout=120s")
	note(way, "canary's pod killed: its successor Ready after", time.Since(began).Round(100*time.Millisecond))
}

func rolled(t *testing.T, way string) {
	began := time.Now()
	kubectl(t, "-n", namespace, "rollout", "restart", deployment(t))
	kubectl(t, "-n", namespace, "rollout", "status", deployment(t), "--timeout=120s")
	note(way, "canary rolled: done after", time.Since(began).Round(100*time.Millisecond))
	count(t, 3*time.Minute, "one canary", `up{job="kafka-canary"} == 1`, 1)
	if firing, err := query(t, `ALERTS{alertname=~"CanaryDown|MostProbesBad|ClusterDown",alertstate="firing"}`); err != nil || len(firing) > 0 {
		t.Errorf("a canary that was killed and rolled has paged: %v %v", firing, err)
	}
}

// unprovoked are alerts that fire though nothing is broken.
func unprovoked(t *testing.T, way string) {
	found, err := query(t, `ALERTS{alertstate="firing",alertname!="Watchdog"}`)
	if err != nil || len(found) > 0 {
		t.Errorf("firing before anything was broken: %v %v", found, err)
	}
	note(way, "alerts before anything is broken, but Watchdog", len(found))
}

// demoted: the tools' image says what a demotion would do, and does not do it.
func demoted(t *testing.T, way string) {
	defer kubectl(t, "-n", "kafka", "delete", "job", "demote", "--ignore-not-found")
	kubectl(t, "apply", "-f", "manifests/demote.yaml")
	began := time.Now()
	within(t, 2*time.Minute, "demote", func() (bool, string) {
		said, err := output("kubectl", "-n", "kafka", "get", "job", "demote", "-o", "jsonpath={.status.succeeded} {.status.failed}")
		return err == nil && strings.TrimSpace(said) != "", said
	})
	took := time.Since(began).Round(100 * time.Millisecond)
	said := kubectl(t, "-n", "kafka", "logs", "job/demote")
	if !strings.Contains(said, "broker 1") || !strings.Contains(said, "--execute") {
		t.Errorf("demote says nothing of broker 1 and --execute: %s", said)
	}
	note(way, "tools' image: what demoting broker 1 would do, said after", took)
}

// outage freezes two of three brokers.
func outage(t *testing.T, way string) {
	var frozen []string
	tasks, err := output("ctr", "-a", "/run/k8s-containerd.sock", "-n", "k8s.io", "tasks", "ls")
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range []string{"prod-broker-1", "prod-broker-2"} {
		id := strings.TrimPrefix(kubectl(t, "-n", "kafka", "get", "pod", pod, "-o", "jsonpath={.status.containerStatuses[0].containerID}"), "containerd://")
		for _, line := range strings.Split(tasks, "\n") {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == id {
				frozen = append(frozen, fields[1])
			}
		}
	}
	if len(frozen) != 2 {
		t.Fatalf("the brokers' processes: %v", frozen)
	}
	signal := func(name string) {
		if _, err := output("kill", append([]string{"-" + name}, frozen...)...); err != nil {
			t.Error(err)
		}
	}
	began := time.Now()
	signal("STOP")
	defer signal("CONT")
	took := delivered(t, 5*time.Minute, began, "of all probes miss the latency target")
	note(way, "two of three brokers frozen: MostProbesBad delivered after", took)
	signal("CONT")
	count(t, 5*time.Minute, "brokers back", `up{job="kafka-broker"} == 1`, 3)
	count(t, 8*time.Minute, "quiet", `ALERTS{alertname="MostProbesBad",alertstate="firing"}`, 0)
}

// lostBroker takes a pod away: it is no target any more, and must be missed all the same.
func lostBroker(t *testing.T, way string) {
	began := time.Now()
	kubectl(t, "-n", "kafka", "scale", "sts/prod-broker", "--replicas=2")
	defer func() {
		kubectl(t, "-n", "kafka", "scale", "sts/prod-broker", "--replicas=3")
		kubectl(t, "-n", "kafka", "rollout", "status", "sts/prod-broker", "--timeout=180s")
	}()
	took := delivered(t, 6*time.Minute, began, "broker 2", "does not answer")
	note(way, "a broker's pod gone: BrokerDown delivered after", took)
}

func TestKustomizeScrapedEvery15Seconds(t *testing.T) {
	prerequisites(t)
	// An overlay of one's own, as the README says: a copy with another address, and another interval.
	overlay := "../examples/under-test"
	os.RemoveAll(overlay)
	t.Cleanup(func() { os.RemoveAll(overlay) })
	if _, err := output("cp", "-r", "../examples/production", overlay); err != nil {
		t.Fatal(err)
	}
	edit(t, overlay+"/canary.yml", "kafka.example.com:9094", "prod-kafka-bootstrap.kafka.svc:9094\n      exporters: { port: 7071 }")
	edit(t, overlay+"/kustomization.yaml", "patches:\n", "patches:\n  - target: { kind: ServiceMonitor, name: kafka-.* }\n    patch: |-\n      - { op: replace, path: /spec/endpoints/0/interval, value: 15s }\n")
	kubectl(t, "apply", "-f", "../examples/strimzi/exporter.yaml", "-n", "kafka")
	kubectl(t, "apply", "--server-side", "-k", overlay)

	everything(t, "kubectl apply -k, 15 s")

	kubectl(t, "delete", "-k", overlay, "--wait=true")
	kubectl(t, "-n", "kafka", "delete", "-f", "../examples/strimzi/exporter.yaml")
	remove(t, "kubectl apply -k, 15 s")
}

func edit(t *testing.T, file, from, to string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(content), from) {
		t.Fatalf("%s has no %q: %v", file, from, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(content), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

const values = `
canary:
  image: { registry: registry.example.com }
  config:
    clusters:
      prod:
        bootstrap-servers: prod-kafka-bootstrap.kafka.svc:9094
        exporters: { port: 7071 }
        client:
          security.protocol: SASL_SSL
          sasl.mechanism: SCRAM-SHA-512
          sasl.jaas.config: org.apache.kafka.common.security.scram.ScramLoginModule required username="canary" password="${KAFKA_PASSWORD}";
          ssl.truststore.type: PEM
          ssl.truststore.location: /etc/phasewise-ca/ca.crt
  env: [{ name: KAFKA_PASSWORD, valueFrom: { secretKeyRef: { name: kafka-canary, key: password } } }]
  secretFiles: { /etc/phasewise-ca: kafka-ca }
monitoring: { scrapeInterval: 30s, scrapeTimeout: 10s }
prometheus: { create: true }
strimzi: { cluster: prod }
`

func TestHelmScrapedEvery30Seconds(t *testing.T) {
	prerequisites(t)
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := output("helm", "install", "phasewise", filepath.Join(release, "chart/phasewise-"+version(t)+".tgz"), "-n", namespace, "-f", file); err != nil {
		t.Fatal(err)
	}

	began := time.Now()
	if said, err := output("helm", "test", "phasewise", "-n", namespace, "--logs"); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	note("helm install, 30 s", "helm test: probes come back from every leader after", time.Since(began).Round(time.Second))

	everything(t, "helm install, 30 s")

	if _, err := output("helm", "uninstall", "phasewise", "-n", namespace, "--wait"); err != nil {
		t.Fatal(err)
	}
	remove(t, "helm install, 30 s")
}

// remove has the canary's own command take away what is left in Kafka, and looks whether anything is left in Kubernetes.
func remove(t *testing.T, way string) {
	manifest, err := os.ReadFile("manifests/remove.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output("kubectl", "get", "ns", namespace); err != nil {
		credentials(t) // the overlay has the namespace in it, and took it along
	}
	applyText(t, string(manifest))
	kubectl(t, "-n", namespace, "wait", "--for=condition=complete", "job/remove-canary", "--timeout=120s")
	log := kubectl(t, "-n", namespace, "logs", "job/remove-canary")
	if !strings.Contains(log, "deleted topic phasewise-canary") {
		t.Errorf("the topic is left: %s", log)
	}
	note(way, "uninstalled; the canary's --remove --execute deleted its topic and listed the rights on it", fmt.Sprint(strings.Count(log, "kafka-acls.sh"), " rights"))
	kubectl(t, "delete", "ns", namespace, "--wait=true")
	kubectl(t, "delete", "pv", "prometheus", "--ignore-not-found")
	left, err := output("bash", "-c", "kubectl get clusterroles,clusterrolebindings,servicemonitors,prometheusrules,networkpolicies,services,configmaps,secrets -A -o name | grep -i phasewise | grep -v sh.helm")
	if err == nil && left != "" {
		t.Errorf("left in Kubernetes: %s", left)
	}
	note(way, "left in Kubernetes", "nothing")
}

// version is the release's.
func version(t *testing.T) string {
	t.Helper()
	notes, err := os.ReadFile(filepath.Join(release, "NOTES.md"))
	if err != nil {
		t.Fatal(err)
	}
	title, _, _ := strings.Cut(string(notes), "\n")
	return strings.TrimPrefix(title, "# Phasewise ")
}

// TestMain writes the page, red or not.
func TestMain(m *testing.M) {
	code := m.Run()
	commit, err := output("git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		commit = "unknown"
	}
	result := "Every check passed."
	if code != 0 {
		result = "**Red**: at least one check failed; a row that is missing was not reached."
	}
	page := fmt.Sprintf("# On a real Kubernetes\n\n"+
		"Kubernetes 1.34.4, one node, network policies enforced; Prometheus operator 0.94.1; a Kafka 4.4 of one dedicated controller and three brokers. "+
		"Canary, agent (copied by an init container), tools and chart are those of `./phasewise release`; the overlay is that of the checkout.\n\n"+
		"**Command.** `./phasewise test --kubernetes`, on %s, commit %s. %s\n\n| deployed by | what | result |\n|---|---|---|\n",
		time.Now().UTC().Format(time.DateOnly), commit, result)
	for _, row := range rows {
		page += "| " + strings.Join(row, " | ") + " |\n"
	}
	page += "\nNot run: several nodes, arm64, an image volume, a vendor's network plug-in, Grafana on Kubernetes.\n"
	if err := os.WriteFile("../../docs/evidence/kubernetes.md", []byte(page), 0o644); err != nil {
		fmt.Println(err)
		code = 1
	}
	os.Exit(code)
}
