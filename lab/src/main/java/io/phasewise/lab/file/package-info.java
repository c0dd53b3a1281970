/** Directories as a whole, locks, files in jars. What is in them is left to others. */
package io.phasewise.lab.file;
