/** What is declared in YAML files, bound to records; what it means is left to those. */
package io.phasewise.experiments.declared;
