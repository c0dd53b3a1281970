// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/santhosh-tekuri/jsonschema/v6"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/yaml"
)

const (
	operatorModule = "github.com/prometheus-operator/prometheus-operator"
	// operatorVersion is that of the types in go.mod; operatorSum is the hash of its source, so that what is read is what was read before.
	operatorVersion = "v0.94.1"
	operatorSum     = "h1:QEIb2wenPH+SdMN1xMf8l4Pmj00YYXXI6HlbLlQWkww="
)

// empty makes an object of the type that Kubernetes or the operator decodes a manifest into.
var empty = map[string]func() any{
	"v1 ConfigMap":                                    func() any { return &core.ConfigMap{} },
	"v1 Namespace":                                    func() any { return &core.Namespace{} },
	"v1 Secret":                                       func() any { return &core.Secret{} },
	"v1 Service":                                      func() any { return &core.Service{} },
	"v1 ServiceAccount":                               func() any { return &core.ServiceAccount{} },
	"apps/v1 Deployment":                              func() any { return &apps.Deployment{} },
	"networking.k8s.io/v1 NetworkPolicy":              func() any { return &networking.NetworkPolicy{} },
	"policy/v1 PodDisruptionBudget":                   func() any { return &policy.PodDisruptionBudget{} },
	"rbac.authorization.k8s.io/v1 ClusterRole":        func() any { return &rbac.ClusterRole{} },
	"rbac.authorization.k8s.io/v1 ClusterRoleBinding": func() any { return &rbac.ClusterRoleBinding{} },
	"monitoring.coreos.com/v1 Alertmanager":           func() any { return &monitoring.Alertmanager{} },
	"monitoring.coreos.com/v1 Prometheus":             func() any { return &monitoring.Prometheus{} },
	"monitoring.coreos.com/v1 PrometheusRule":         func() any { return &monitoring.PrometheusRule{} },
	"monitoring.coreos.com/v1 ServiceMonitor":         func() any { return &monitoring.ServiceMonitor{} },
}

// definitions names the schema of each kind in Kubernetes' own description of its API.
var definitions = map[string]string{
	"ConfigMap":           "io.k8s.api.core.v1.ConfigMap",
	"Namespace":           "io.k8s.api.core.v1.Namespace",
	"Secret":              "io.k8s.api.core.v1.Secret",
	"Service":             "io.k8s.api.core.v1.Service",
	"ServiceAccount":      "io.k8s.api.core.v1.ServiceAccount",
	"Deployment":          "io.k8s.api.apps.v1.Deployment",
	"NetworkPolicy":       "io.k8s.api.networking.v1.NetworkPolicy",
	"PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
	"ClusterRole":         "io.k8s.api.rbac.v1.ClusterRole",
	"ClusterRoleBinding":  "io.k8s.api.rbac.v1.ClusterRoleBinding",
}

func ofStrimzi(o object) bool { return strings.HasPrefix(o.version, "kafka.strimzi.io/") }

func decodeStrictly(o object) error {
	create, known := empty[o.version+" "+o.kind]
	if !known {
		return fmt.Errorf("no type is known for %s %s", o.version, o.kind)
	}
	asJSON, err := yaml.YAMLToJSONStrict(o.yaml)
	if err != nil {
		return err
	}
	// As an API server decodes: capitals count.
	unknown, err := kjson.UnmarshalStrict(asJSON, create())
	return errors.Join(append(unknown, err)...)
}

// A misspelt field is dropped in silence by a lenient decoder, and by some API servers.
func TestEveryFieldIsKnown(t *testing.T) {
	for _, base := range bases {
		for _, o := range render(t, base) {
			if ofStrimzi(o) {
				continue
			}
			if err := decodeStrictly(o); err != nil {
				t.Errorf("%s, %v: %v", base, o, err)
			}
		}
	}
}

func TestAMisspeltFieldIsFound(t *testing.T) {
	deployment := one(t, render(t, "canary"), "Deployment", "kafka-canary")
	deployment.yaml = []byte(strings.Replace(string(deployment.yaml), "readOnlyRootFilesystem", "readonlyRootFilesystem", 1))
	if err := decodeStrictly(deployment); err == nil {
		t.Error("readonlyRootFilesystem was accepted")
	}
}

// Types do not say which fields are required; the API's description does. It is that of Kubernetes 1.21, which kustomize carries:
// fields that came later are unknown to it, and it lets them pass.
func kubernetesSchemas(t *testing.T) *jsonschema.Compiler {
	t.Helper()
	encoded, err := json.Marshal(openapi.Schema())
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(encoded, &document); err != nil {
		t.Fatal(err)
	}
	named := document["definitions"].(map[string]any)
	// Said in words there, not as a type.
	named["io.k8s.apimachinery.pkg.util.intstr.IntOrString"] = map[string]any{"type": []any{"integer", "string"}}
	named["io.k8s.apimachinery.pkg.api.resource.Quantity"] = map[string]any{"type": []any{"number", "string"}}
	return compiler(t, "kubernetes.json", document)
}

func compiler(t *testing.T, name string, document any) *jsonschema.Compiler {
	t.Helper()
	c := jsonschema.NewCompiler()
	// OpenAPI's schemas are of this draft.
	c.DefaultDraft(jsonschema.Draft4)
	if err := c.AddResource("file:///"+name, document); err != nil {
		t.Fatal(err)
	}
	return c
}

func validate(schema *jsonschema.Schema, content []byte) error {
	value, err := plain(content)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func TestKubernetesHasAllThatItRequires(t *testing.T) {
	schemas := kubernetesSchemas(t)
	for _, base := range bases {
		for _, o := range render(t, base) {
			definition, ok := definitions[o.kind]
			if !ok {
				continue
			}
			if err := validate(schemas.MustCompile("file:///kubernetes.json#/definitions/"+definition), o.yaml); err != nil {
				t.Errorf("%s, %v: %v", base, o, err)
			}
		}
	}
}

func TestAMissingFieldIsFound(t *testing.T) {
	schema := kubernetesSchemas(t).MustCompile("file:///kubernetes.json#/definitions/" + definitions["Deployment"])
	deployment := one(t, render(t, "canary"), "Deployment", "kafka-canary")
	without := strings.Replace(string(deployment.yaml), "containerPort: 9470", "protocol: TCP", 1)
	if err := validate(schema, []byte(without)); err == nil || !strings.Contains(err.Error(), "containerPort") {
		t.Errorf("a port without its number: %v", err)
	}
}

// The custom resource definitions of the Prometheus operator say what the types cannot: patterns, ranges, choices. They are in the
// operator's source, of which only the types are a dependency here.
func operatorSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	// Outside of this module, whose go.mod has no use for it.
	download := exec.Command("go", "mod", "download", "-json", operatorModule+"@"+operatorVersion)
	download.Dir = t.TempDir()
	output, err := download.Output()
	if err != nil {
		t.Skipf("skipped: the source of the Prometheus operator %s cannot be had: %v %s", operatorVersion, err, output)
	}
	var source struct{ Dir, Sum string }
	if err := json.Unmarshal(output, &source); err != nil {
		t.Fatal(err)
	}
	if source.Sum != operatorSum {
		t.Fatalf("the source of the operator is %s, not %s", source.Sum, operatorSum)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, plural := range []string{"alertmanagers", "prometheuses", "prometheusrules", "servicemonitors"} {
		content, err := os.ReadFile(filepath.Join(source.Dir, "example/prometheus-operator-crd/monitoring.coreos.com_"+plural+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		definition, err := plain(content)
		if err != nil {
			t.Fatal(err)
		}
		spec := definition.(map[string]any)["spec"].(map[string]any)
		version := spec["versions"].([]any)[0].(map[string]any)
		if version["name"] != "v1" {
			t.Fatalf("the first version of %s is %v", plural, version["name"])
		}
		kind := spec["names"].(map[string]any)["kind"].(string)
		schema := version["schema"].(map[string]any)["openAPIV3Schema"]
		relax(schema)
		schemas[kind] = compiler(t, kind, schema).MustCompile("file:///" + kind)
	}
	return schemas
}

// relax says in plain JSON schema what Kubernetes says by extensions: a quantity or a port may be a number or a text.
func relax(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if s["x-kubernetes-int-or-string"] == true {
			delete(s, "pattern")
		}
		for _, inner := range s {
			relax(inner)
		}
	case []any:
		for _, inner := range s {
			relax(inner)
		}
	}
}

func TestTheOperatorsDefinitionsAcceptItsResources(t *testing.T) {
	schemas := operatorSchemas(t)
	checked := 0
	for _, base := range bases {
		for _, o := range render(t, base) {
			schema, ok := schemas[o.kind]
			if !ok {
				continue
			}
			checked++
			if err := validate(schema, o.yaml); err != nil {
				t.Errorf("%s, %v: %v", base, o, err)
			}
		}
	}
	if checked < 7 {
		t.Errorf("only %d resources of the operator were rendered", checked)
	}
	monitor := one(t, render(t, "monitoring"), "ServiceMonitor", "kafka-canary")
	wrong := strings.Replace(string(monitor.yaml), "interval: 5s", "interval: 5 seconds", 1)
	if err := validate(schemas["ServiceMonitor"], []byte(wrong)); err == nil {
		t.Error("an interval of `5 seconds` was accepted")
	}
}
