// Prints the fields of the Kubernetes messages that Holdfast reads: for each message the JSON name, the protobuf number
// and the type of each field. A field without a JSON name has its protobuf name. The source is the struct tags of
// k8s.io/api and k8s.io/apimachinery.
package main

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	storage "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var kinds = []any{
	core.Pod{}, core.Node{}, core.Namespace{}, core.ResourceQuota{}, core.LimitRange{}, core.PersistentVolume{},
	core.PersistentVolumeClaim{}, apps.Deployment{}, apps.ReplicaSet{}, apps.StatefulSet{}, batch.Job{},
	policy.PodDisruptionBudget{}, storage.StorageClass{}, storage.CSINode{},
}

// What is around objects in responses of the API server, what any object has, and parts whose JSON is not that of a
// struct.
var parts = []any{
	runtime.Unknown{}, meta.List{}, meta.WatchEvent{}, meta.Status{}, meta.PartialObjectMetadata{}, meta.Timestamp{},
	intstr.IntOrString{},
}

// Types whose JSON is not that of a struct.
var special = map[reflect.Type]string{
	reflect.TypeOf(meta.Time{}):          "time",
	reflect.TypeOf(resource.Quantity{}):  "quantity",
	reflect.TypeOf(intstr.IntOrString{}): "intOrString",
}

// Types that no decoder reads.
var skipped = map[reflect.Type]bool{
	reflect.TypeOf(meta.MicroTime{}): true,
	reflect.TypeOf(meta.FieldsV1{}):  true,
	reflect.TypeOf(meta.Duration{}):  true,
	// Half of each object.
	reflect.TypeOf([]meta.ManagedFieldsEntry{}): true,
}

var messages = map[string]reflect.Type{}
var lines = map[string]string{
	// Its Go type has no tags. Source: pkg/api/resource/generated.proto in k8s.io/apimachinery.
	"Quantity": "Quantity string:1:string",
}

func text(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return text(t.Elem())
	}
	if name, found := special[t]; found {
		return name
	}
	if skipped[t] {
		return "skipped"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64:
		return "int"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "skipped"
		}
		return "[]" + text(t.Elem())
	case reflect.Map:
		if t.Elem().Kind() == reflect.Slice {
			return "skipped"
		}
		return "{}" + text(t.Elem())
	case reflect.Struct:
		message(t)
		return t.Name()
	}
	panic("a field of type " + t.String())
}

func message(t reflect.Type) {
	if known, found := messages[t.Name()]; found {
		if known != t {
			panic("two messages are named " + t.Name())
		}
		return
	}
	messages[t.Name()] = t
	fields := []string{}
	for i := range t.NumField() {
		field := t.Field(i)
		number := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(number) < 2 {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			name = "*"
		case name == "" || name == "-":
			name = protobufName(number)
		}
		fields = append(fields, fmt.Sprintf("%s:%s:%s", name, number[1], text(field.Type)))
	}
	lines[t.Name()] = t.Name() + " " + strings.Join(fields, " ")
}

func protobufName(tag []string) string {
	for _, part := range tag {
		if name, found := strings.CutPrefix(part, "name="); found {
			return name
		}
	}
	panic("a field without a name: " + strings.Join(tag, ","))
}

func main() {
	for _, value := range append(kinds, parts...) {
		message(reflect.TypeOf(value))
	}
	names := []string{}
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintln(os.Stdout, strings.TrimSpace(lines[name]))
	}
}
