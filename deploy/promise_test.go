// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// withCanary are the directories whose rendering has a canary in it.
var withCanary = []string{"canary", "examples/production", "examples/strimzi", "examples/kube-prometheus-stack"}

func canaryOf(t *testing.T, base string) apps.Deployment {
	t.Helper()
	return as[apps.Deployment](t, one(t, render(t, base), "Deployment", "kafka-canary"))
}

// What the Pod Security Standard `restricted` asks for, and a file system that nobody can write.
func TestNoPodHasARightThatItDoesNotNeed(t *testing.T) {
	for _, base := range withCanary {
		pod := canaryOf(t, base).Spec.Template.Spec
		if on(pod.SecurityContext.RunAsNonRoot) != true || *pod.SecurityContext.RunAsUser == 0 {
			t.Errorf("%s: runs as root", base)
		}
		if pod.SecurityContext.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
			t.Errorf("%s: seccomp profile %v", base, pod.SecurityContext.SeccompProfile)
		}
		if on(pod.AutomountServiceAccountToken) || pod.AutomountServiceAccountToken == nil {
			t.Errorf("%s: has a token of the API server", base)
		}
		if pod.HostNetwork || pod.HostPID || pod.HostIPC {
			t.Errorf("%s: shares a namespace with its host", base)
		}
		for _, c := range pod.Containers {
			s := c.SecurityContext
			if on(s.AllowPrivilegeEscalation) || s.AllowPrivilegeEscalation == nil || !on(s.ReadOnlyRootFilesystem) || on(s.Privileged) {
				t.Errorf("%s, %s: %+v", base, c.Name, s)
			}
			if len(s.Capabilities.Drop) != 1 || s.Capabilities.Drop[0] != "ALL" || len(s.Capabilities.Add) > 0 {
				t.Errorf("%s, %s: capabilities %+v", base, c.Name, s.Capabilities)
			}
			for _, mount := range c.VolumeMounts {
				if !mount.ReadOnly && mount.MountPath != "/tmp" {
					t.Errorf("%s, %s: %s can be written", base, c.Name, mount.MountPath)
				}
			}
		}
	}
}

func on(value *bool) bool { return value != nil && *value }

func TestTheCanaryRunsAsTheUserOfItsImage(t *testing.T) {
	image := read(t, "../canary/Dockerfile")
	user := canaryOf(t, "canary").Spec.Template.Spec.SecurityContext.RunAsUser
	if got := find(t, image, `--uid (\d+)`); got != jsonOf(t, user) {
		t.Errorf("the image's user is %s, the pod's %s", got, jsonOf(t, user))
	}
}

func TestTheCanaryIsBoundedProbedAndOfThisVersion(t *testing.T) {
	c := canaryOf(t, "canary").Spec.Template.Spec.Containers[0]
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
		t.Errorf("resources %+v", c.Resources)
	}
	if !c.Resources.Limits.Cpu().IsZero() {
		t.Error("a processor limit throttles the canary, which then measures that")
	}
	for name, probe := range map[string]*core.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe} {
		if probe == nil || probe.HTTPGet.Path != "/-/healthy" || probe.HTTPGet.Port.String() != c.Ports[0].Name {
			t.Errorf("%s probe %+v", name, probe)
		}
	}
	version := find(t, read(t, "../pom.xml"), `<artifactId>phasewise</artifactId>\s*<version>(.+)<`)
	if c.Image != "phasewise/canary:"+version {
		t.Errorf("image %s of version %s", c.Image, version)
	}
}

// Labels are what holds a deployment together; a typing error there breaks it without an error.
func TestSelectorsFindTheCanary(t *testing.T) {
	for _, base := range withCanary {
		objects := render(t, base)
		deployment := canaryOf(t, base)
		labels := deployment.Spec.Template.Labels
		service := as[core.Service](t, one(t, objects, "Service", "kafka-canary"))
		for name, selector := range map[string]map[string]string{
			"deployment": deployment.Spec.Selector.MatchLabels,
			"service":    service.Spec.Selector,
			"budget":     as[policy.PodDisruptionBudget](t, one(t, objects, "PodDisruptionBudget", "kafka-canary")).Spec.Selector.MatchLabels,
			"policy":     as[networking.NetworkPolicy](t, one(t, objects, "NetworkPolicy", "kafka-canary")).Spec.PodSelector.MatchLabels,
		} {
			if len(selector) == 0 || !within(selector, labels) {
				t.Errorf("%s: the selector %v of the %s does not find pods with %v", base, selector, name, labels)
			}
		}
		container := deployment.Spec.Template.Spec.Containers[0]
		if service.Spec.Ports[0].TargetPort.String() != container.Ports[0].Name {
			t.Errorf("%s: the service's port leads to %v", base, service.Spec.Ports[0].TargetPort)
		}
	}
}

func within(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

func TestServiceMonitorsFindCanaryBrokersAndControllers(t *testing.T) {
	monitors := render(t, "monitoring")
	for name, service := range map[string]object{
		"kafka-canary":     one(t, render(t, "canary"), "Service", "kafka-canary"),
		"kafka-broker":     one(t, render(t, "examples/strimzi"), "Service", "prod-kafka-exporter"),
		"kafka-controller": one(t, render(t, "examples/strimzi"), "Service", "prod-kafka-controller-exporter"),
	} {
		monitor := as[monitoring.ServiceMonitor](t, one(t, monitors, "ServiceMonitor", name))
		target := as[core.Service](t, service)
		if !within(monitor.Spec.Selector.MatchLabels, target.Labels) {
			t.Errorf("%s looks for %v, the service has %v", name, monitor.Spec.Selector.MatchLabels, target.Labels)
		}
		if monitor.Spec.Endpoints[0].Port != target.Spec.Ports[0].Name {
			t.Errorf("%s scrapes port %s, the service has %s", name, monitor.Spec.Endpoints[0].Port, target.Spec.Ports[0].Name)
		}
		// The rules rely on the job's name.
		if target.Labels[monitor.Spec.JobLabel] != name {
			t.Errorf("the job of %s is %s", name, target.Labels[monitor.Spec.JobLabel])
		}
	}
}

// The operator's own interval is 30 s, which doubles the time to a page.
func TestEveryGroupOfRulesHasAnIntervalOfItsOwn(t *testing.T) {
	for _, o := range render(t, "monitoring") {
		if o.kind != "PrometheusRule" {
			continue
		}
		for _, group := range as[monitoring.PrometheusRule](t, o).Spec.Groups {
			if group.Interval == nil {
				t.Errorf("%v: %s has no interval", o, group.Name)
			}
		}
	}
}

func TestTheExamplesPrometheusTakesUpRulesAndMonitors(t *testing.T) {
	objects := render(t, "examples/production")
	prometheus := as[monitoring.Prometheus](t, one(t, objects, "Prometheus", "kafka"))
	if !on(prometheus.Spec.ScrapeNativeHistograms) {
		t.Error("no native histograms: the rules would read nothing")
	}
	if prometheus.Spec.Retention != "31d" {
		t.Errorf("data is kept for %s, the error budget's period is 30 days", prometheus.Spec.Retention)
	}
	for _, o := range objects {
		switch o.kind {
		case "PrometheusRule":
			if !within(prometheus.Spec.RuleSelector.MatchLabels, as[monitoring.PrometheusRule](t, o).Labels) {
				t.Errorf("%v is not selected", o)
			}
		case "ServiceMonitor":
			if !within(prometheus.Spec.ServiceMonitorSelector.MatchLabels, as[monitoring.ServiceMonitor](t, o).Labels) {
				t.Errorf("%v is not selected", o)
			}
		}
	}
}

func TestTheExamplesAlertmanagerReadsTheConfigurationOfThisRepository(t *testing.T) {
	objects := render(t, "examples/production")
	alertmanager := as[monitoring.Alertmanager](t, one(t, objects, "Alertmanager", "kafka"))
	secret := as[core.Secret](t, one(t, objects, "Secret", alertmanager.Spec.ConfigSecret))
	configuration := read(t, "../alerting/production.yml")
	if string(secret.Data["alertmanager.yaml"]) != configuration {
		t.Error("alertmanager.yaml is not alerting/production.yml")
	}
	if string(secret.Data["phasewise.tmpl"]) != read(t, "../alerting/templates/phasewise.tmpl") {
		t.Error("the templates are missing")
	}
	// The operator puts the other keys of the Secret there, and the configuration elsewhere.
	settings := settings(t, "../alerting/production.yml")
	if !slices.Contains(settings["templates[]"], "/etc/alertmanager/config/*.tmpl") {
		t.Error("the configuration does not look for templates where the operator puts them")
	}
	mounted := alertmanager.Spec.VolumeMounts[0].MountPath
	for _, file := range secretFiles(t) {
		if filepath.Dir(file) != mounted {
			t.Errorf("%s is not below %s", file, mounted)
		}
	}
}

func TestEveryDashboardIsOneThatGrafanasSidecarFinds(t *testing.T) {
	files, err := filepath.Glob("../dashboards/generated/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no dashboards: %v", err)
	}
	objects := render(t, "monitoring")
	found := 0
	for _, o := range objects {
		if o.kind == "ConfigMap" {
			found++
		}
	}
	if found != len(files) {
		t.Errorf("%d dashboards, %d ConfigMaps; dashboards/kustomization.yaml lists them", len(files), found)
	}
	for _, file := range files {
		name := filepath.Base(file)
		dashboard := as[core.ConfigMap](t, one(t, objects, "ConfigMap", "phasewise-"+strings.TrimSuffix(name, ".json")))
		if dashboard.Data[name] != read(t, file) {
			t.Errorf("%s is not the generated one", name)
		}
		if dashboard.Labels["grafana_dashboard"] != "1" || dashboard.Annotations["grafana_folder"] == "" {
			t.Errorf("%s: labels %v, annotations %v", name, dashboard.Labels, dashboard.Annotations)
		}
		// etcd's limit for one object.
		if size := len(dashboard.Data[name]); size > 1_000_000 {
			t.Errorf("%s has %d bytes", name, size)
		}
	}
}

// The root is read-only, and a state-file whose directory is missing is refused at the start.
func TestTheCanaryKeepsWhatItLearnsWhereItMayWrite(t *testing.T) {
	for _, base := range withCanary {
		configuration := as[core.ConfigMap](t, one(t, render(t, base), "ConfigMap", "kafka-canary")).Data["canary.yml"]
		directory := filepath.Dir(find(t, configuration, `(?m)^  state-file: (\S+)$`))
		pod := canaryOf(t, base).Spec.Template.Spec
		if !slices.ContainsFunc(pod.Containers[0].VolumeMounts, func(mount core.VolumeMount) bool {
			return !mount.ReadOnly && mount.MountPath == directory
		}) {
			t.Errorf("%s: nothing is mounted at %s that the canary may write to", base, directory)
		}
	}
}

// A changed configuration must reach pods that run.
func TestTheNameOfTheConfigurationChangesWithItsContent(t *testing.T) {
	names := map[string]bool{}
	for _, base := range withCanary {
		objects := render(t, base)
		configuration := one(t, objects, "ConfigMap", "kafka-canary")
		names[configuration.name] = true
		for _, volume := range canaryOf(t, base).Spec.Template.Spec.Volumes {
			if volume.ConfigMap != nil && volume.ConfigMap.Name != configuration.name {
				t.Errorf("%s: the pod mounts %s, not %s", base, volume.ConfigMap.Name, configuration.name)
			}
		}
	}
	if len(names) != len(withCanary) {
		t.Errorf("different configurations have the names %v", names)
	}
}

func TestOnlyPrometheusReachesTheCanary(t *testing.T) {
	p := as[networking.NetworkPolicy](t, one(t, render(t, "canary"), "NetworkPolicy", "kafka-canary"))
	if len(p.Spec.PolicyTypes) != 2 || len(p.Spec.Ingress) != 1 {
		t.Fatalf("%+v", p.Spec)
	}
	in := p.Spec.Ingress[0]
	if len(in.From) != 1 || in.From[0].PodSelector.MatchLabels["app.kubernetes.io/name"] != "prometheus" || len(in.Ports) != 1 {
		t.Errorf("in: %+v", in)
	}
	for _, out := range p.Spec.Egress {
		if len(out.Ports) == 0 {
			t.Errorf("out: any port, %+v", out)
		}
	}
}

func TestNoSecretIsWrittenDown(t *testing.T) {
	for _, base := range bases {
		for _, o := range render(t, base) {
			if o.kind == "Secret" && o.name != "phasewise-alertmanager" {
				t.Errorf("%s has the secret %s", base, o.name)
			}
		}
	}
	secret := regexp.MustCompile(`(?i)(password|secret|token|key)$`)
	for key, values := range settings(t, "../alerting/production.yml") {
		if secret.MatchString(key) {
			t.Errorf("alerting/production.yml: %s is %s", key, values)
		}
	}
}

// What a YAML file sets, by the path of the key; "[]" stands for the elements of a list.
func settings(t *testing.T, file string) map[string][]string {
	t.Helper()
	var content any
	if err := yaml.Unmarshal([]byte(read(t, file)), &content); err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	var collect func(path string, value any)
	collect = func(path string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, each := range value {
				collect(strings.TrimPrefix(path+"."+key, "."), each)
			}
		case []any:
			for _, each := range value {
				collect(path+"[]", each)
			}
		default:
			found[path] = append(found[path], fmt.Sprint(value))
		}
	}
	collect("", content)
	return found
}

// The files with secrets that the configuration of Alertmanager names.
func secretFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for key, values := range settings(t, "../alerting/production.yml") {
		if strings.HasSuffix(key, "_file") {
			files = append(files, values...)
		}
	}
	if len(files) == 0 {
		t.Fatal("the configuration names no file with a secret")
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func find(t *testing.T, content, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(content)
	if match == nil {
		t.Fatalf("nothing is like %s", pattern)
	}
	return match[1]
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}
