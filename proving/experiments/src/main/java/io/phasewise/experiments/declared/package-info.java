/** Binds YAML files to records, and checks their values. */
package io.phasewise.experiments.declared;
