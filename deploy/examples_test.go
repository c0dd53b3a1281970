// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	rbac "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	kustomize "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// As Strimzi labels its pods, by the roles of their pool. What runs in both roles must not be scraped twice.
func TestEveryNodeOfStrimziIsScrapedOnceAndLetsPrometheusIn(t *testing.T) {
	objects := render(t, "examples/strimzi")
	selector := func(name string) map[string]string {
		return as[core.Service](t, one(t, objects, "Service", name)).Spec.Selector
	}
	brokers, controllers := selector("prod-kafka-exporter"), selector("prod-kafka-controller-exporter")
	allowed := as[networking.NetworkPolicy](t, one(t, objects, "NetworkPolicy", "prod-kafka-exporter")).Spec.PodSelector.MatchLabels
	for _, roles := range [][2]string{{"true", "false"}, {"false", "true"}, {"true", "true"}} {
		pod := map[string]string{
			"strimzi.io/cluster": "prod", "strimzi.io/kind": "Kafka", "strimzi.io/name": "prod-kafka",
			"strimzi.io/broker-role": roles[0], "strimzi.io/controller-role": roles[1],
		}
		if got, want := within(brokers, pod), roles[0] == "true"; got != want {
			t.Errorf("broker %s, controller %s: scraped as a broker: %v", roles[0], roles[1], got)
		}
		if got, want := within(controllers, pod), roles[0] == "false"; got != want {
			t.Errorf("broker %s, controller %s: scraped as a controller: %v", roles[0], roles[1], got)
		}
		if !within(allowed, pod) {
			t.Errorf("broker %s, controller %s: the policy keeps Prometheus out", roles[0], roles[1])
		}
	}
	other := map[string]string{"strimzi.io/cluster": "prod", "strimzi.io/kind": "Kafka", "strimzi.io/name": "prod-entity-operator"}
	if within(allowed, other) || within(brokers, other) || within(controllers, other) {
		t.Error("the entity operator is taken for a node")
	}
}

// A name without a registry is looked for on Docker Hub, where it is not ours.
func TestExamplesNameTheRegistryOfTheCanarysImage(t *testing.T) {
	for _, base := range []string{"examples/production", "examples/strimzi", "examples/kube-prometheus-stack"} {
		image := canaryOf(t, base).Spec.Template.Spec.Containers[0].Image
		if registry, _, _ := strings.Cut(image, "/"); !strings.Contains(registry, ".") {
			t.Errorf("%s: the image is %s", base, image)
		}
	}
}

// An overlay sets where links lead without generating anything, and nothing that leads nowhere is shipped.
func TestTheExamplesPatchReachesTheLinks(t *testing.T) {
	const setting = `value: ""`
	example := read(t, "examples/production/kustomization.yaml")
	if strings.Count(example, setting) != 2 {
		t.Fatal("the example ships addresses, or has no patch for them")
	}
	filled := strings.Replace(strings.Replace(example, setting, "value: https://wiki.test/kafka", 1), setting, "value: https://grafana.test", 1)
	var overlay struct{ Patches []kustomize.Patch }
	if err := yaml.Unmarshal([]byte(filled), &overlay); err != nil {
		t.Fatal(err)
	}
	patched := renderPatched(t, "../../prometheus/operator", overlay.Patches[len(overlay.Patches)-1])
	rule := as[monitoring.PrometheusRule](t, one(t, patched, "PrometheusRule", "phasewise-links"))
	labels := rule.Spec.Groups[0].Rules[0].Labels
	if labels["runbooks"] != "https://wiki.test/kafka" || labels["grafana"] != "https://grafana.test" {
		t.Errorf("links are %v", labels)
	}
}

// Its Prometheus selects both by the name of its release, and does not look for what it did not make itself otherwise.
func TestKubePrometheusStackTakesUpMonitorsAndRules(t *testing.T) {
	taken := 0
	for _, o := range render(t, "examples/kube-prometheus-stack") {
		if o.kind == "Prometheus" || o.kind == "Alertmanager" || o.name == "phasewise-alertmanager" {
			t.Errorf("%v is that chart's", o)
		}
		if o.kind != "ServiceMonitor" && o.kind != "PrometheusRule" {
			continue
		}
		taken++
		if as[monitoring.ServiceMonitor](t, o).Labels["release"] != "kube-prometheus-stack" {
			t.Errorf("%v has no label", o)
		}
	}
	if taken < 5 {
		t.Errorf("only %d monitors and rules", taken)
	}
}

// overlayOf writes a kustomization and renders it.
func overlayOf(t *testing.T, directory, kustomization string) []object {
	t.Helper()
	if err := os.WriteFile(filepath.Join(directory, "kustomization.yaml"), []byte(kustomization), 0o644); err != nil {
		t.Fatal(err)
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), directory)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := objectsOf(resources)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// The line that the pages give, in a copy beside the example: the classic rules are selected as the native ones are, and take their place.
func TestOneLineTakesTheClassicRulesInPlaceOfTheNativeOnes(t *testing.T) {
	const line = "components: [ ../../../prometheus/operator/classic ]"
	for _, page := range []string{"README.md", "../docs/how-to/kube-prometheus-stack.md", "examples/kube-prometheus-stack/kustomization.yaml"} {
		if !strings.Contains(read(t, page), line) {
			t.Errorf("%s does not have %s", page, line)
		}
	}
	for _, example := range []string{"kube-prometheus-stack", "production"} {
		copied, err := os.MkdirTemp("examples", "overlay-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(copied) })
		if err := os.CopyFS(copied, os.DirFS("examples/"+example)); err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, o := range overlayOf(t, copied, read(t, "examples/"+example+"/kustomization.yaml")+"\n"+line+"\n") {
			if o.kind != "PrometheusRule" {
				continue
			}
			rules = append(rules, o.name)
			rule := as[monitoring.PrometheusRule](t, o)
			if rule.Namespace != "phasewise" || example != "production" && rule.Labels["release"] != "kube-prometheus-stack" {
				t.Errorf("%s: %v is in %s with %v", example, o, rule.Namespace, rule.Labels)
			}
		}
		slices.Sort(rules)
		if !slices.Equal(rules, []string{"phasewise-classic", "phasewise-links"}) {
			t.Errorf("%s: the rules are %v", example, rules)
		}
	}
}

// As the pages say: paths that lead to the checkout, and relative ones.
func TestACopyOutsideTheCheckoutNeedsPathsThatLeadToIt(t *testing.T) {
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS("examples/kube-prometheus-stack")); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(copied)
	if err != nil {
		t.Fatal(err)
	}
	way, err := filepath.Rel(real, here)
	if err != nil {
		t.Fatal(err)
	}
	led := func(to string) string {
		text := strings.ReplaceAll(read(t, "examples/kube-prometheus-stack/kustomization.yaml"), "- ../../../", "- "+to+"/")
		return strings.ReplaceAll(text, "- ../../canary", "- "+to+"/deploy/canary")
	}
	if objects := overlayOf(t, real, led(way)); len(objects) != len(render(t, "examples/kube-prometheus-stack")) {
		t.Errorf("only %d objects", len(objects))
	}
	if err := os.WriteFile(filepath.Join(real, "kustomization.yaml"), []byte(led(here)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), real); err == nil {
		t.Error("absolute paths are taken now: the pages say that they are refused")
	}
}

func TestTheExamplesPrometheusMayFindTargets(t *testing.T) {
	objects := render(t, "examples/production")
	prometheus := as[monitoring.Prometheus](t, one(t, objects, "Prometheus", "kafka"))
	account := one(t, objects, "ServiceAccount", prometheus.Spec.ServiceAccountName)
	binding := as[rbac.ClusterRoleBinding](t, one(t, objects, "ClusterRoleBinding", "phasewise-prometheus"))
	one(t, objects, binding.RoleRef.Kind, binding.RoleRef.Name)
	if s := binding.Subjects[0]; s.Name != account.name || s.Namespace != as[core.ServiceAccount](t, account).Namespace {
		t.Errorf("the right is given to %+v", s)
	}
}

// RuleEvaluationSlow has no data otherwise. The labels and the port are those that the operator gives to the Services that it makes.
func TestTheExampleScrapesItsPrometheusAndItsAlertmanager(t *testing.T) {
	objects := render(t, "examples/production")
	for name, label := range map[string]string{"prometheus": "operated-prometheus", "alertmanager": "operated-alertmanager"} {
		spec := as[monitoring.ServiceMonitor](t, one(t, objects, "ServiceMonitor", name)).Spec
		if spec.Selector.MatchLabels[label] != "true" || spec.Endpoints[0].Port != "web" {
			t.Errorf("%s: %+v", name, spec)
		}
	}
}

func TestTheReadmeMakesEverySecretThatTheExampleNames(t *testing.T) {
	commands := map[string][]string{}
	readme := strings.ReplaceAll(read(t, "README.md"), "\\\n", "")
	for _, each := range regexp.MustCompile(`create secret generic (\S+)(.*)`).FindAllStringSubmatch(readme, -1) {
		commands[each[1]] = strings.Fields(each[2])
	}
	needed := map[string][]string{}
	pod := canaryOf(t, "examples/production").Spec.Template.Spec
	for _, variable := range pod.Containers[0].Env {
		ref := variable.ValueFrom.SecretKeyRef
		needed[ref.Name] = []string{ref.Key}
	}
	for _, volume := range pod.Volumes {
		if volume.Secret != nil {
			needed[volume.Secret.SecretName] = []string{find(t, read(t, "examples/production/canary.yml"), `/etc/phasewise-ca/(\S+)`)}
		}
	}
	const credentials = "phasewise-alertmanager-credentials"
	for _, file := range secretFiles(t) {
		needed[credentials] = append(needed[credentials], filepath.Base(file))
	}
	for name, keys := range needed {
		for _, key := range keys {
			if !slices.Contains(commands[name], "--from-file="+key) {
				t.Errorf("README.md does not make the key %s of %s", key, name)
			}
		}
	}
}
