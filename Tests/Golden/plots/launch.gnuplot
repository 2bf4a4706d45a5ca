set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Launches: launches" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \070 launches, \066 measured\073 median to the first frame: cold \063\066\063.\061 ms (n \062), warm \062\070\070.\070 ms (n \064)" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.15
set rmargin at screen 0.976
set tmargin at screen 0.825
set bmargin at screen 0.09999999999999998
set xrange [0.0:437.1428571428571]
set xlabel "time since the tap, or the start of the process, in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [7.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("\060 cold throwaway" 0.0, "\061 warm" 1.0, "\062 warm" 2.0, "\063 cold" 3.0, "\064 warm" 4.0, "\065 resume" 5.0, "\066 cold" 6.0, "\067 warm" 7.0)
set grid noytics
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\063\067\071.\066 ms" at 383.6417,0.0 left noenhanced front textcolor rgb "#1f2328"
set label 101 "\062\070\070.\067 ms" at 292.6558,1.0 left noenhanced front textcolor rgb "#1f2328"
set label 102 "\062\071\066.\062 ms" at 300.2385,2.0 left noenhanced front textcolor rgb "#1f2328"
set label 103 "\063\065\071.\060 ms" at 362.9503,3.0 left noenhanced front textcolor rgb "#1f2328"
set label 104 "\062\067\071.\066 ms" at 283.556,4.0 left noenhanced front textcolor rgb "#1f2328"
set label 105 "\065\071.\061\062 ms" at 63.1233,5.0 left noenhanced front textcolor rgb "#1f2328"
set label 106 "\063\066\067.\063 ms" at 371.3313,6.0 left noenhanced front textcolor rgb "#1f2328"
set label 107 "\062\070\070.\071 ms" at 292.8854,7.0 left noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#6e7781" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "system interface", \
  "data/\061" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#cc79a7" fillstyle transparent pattern 4 border linecolor rgb "#cc79a7" linewidth 0.8 title "static initialization", \
  "data/\062" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "framework initialization", \
  "data/\063" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle transparent pattern 4 border linecolor rgb "#0072b2" linewidth 0.8 title "application initialization", \
  "data/\064" binary format="%double%double%double%double" record=(8) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#009e73" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "first frame", \
  "data/\065" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 2.0 linecolor rgb "#d55e00" dashtype 2 title "goal \064\060\060 ms"
unset label
unset multiplot
unset output
# data/0: 7.2663 122.182 -0.36 0.36 8.5094 63.7401 0.64 1.3599999999999999 6.8197 62.1205 1.6400000000000001 2.36 7.7268 125.4133 2.64 3.36 6.1476 56.6266 3.64 4.36 6.5887 115.3684 5.64 6.36 8.2722 64.958 6.64 7.36
# data/1: 122.182 173.8341 -0.36 0.36 63.7401 85.4531 0.64 1.3599999999999999 62.1205 84.7363 1.6400000000000001 2.36 125.4133 166.2048 2.64 3.36 56.6266 79.7197 3.64 4.36 115.3684 158.4077 5.64 6.36 64.958 90.129 6.64 7.36
# data/2: 173.8341 201.0559 -0.36 0.36 85.4531 114.4231 0.64 1.3599999999999999 84.7363 110.5714 1.6400000000000001 2.36 166.2048 191.6118 2.64 3.36 79.7197 108.2886 3.64 4.36 158.4077 186.0565 5.64 6.36 90.129 118.6699 6.64 7.36
# data/3: 201.0559 304.3838 -0.36 0.36 114.4231 216.5474 0.64 1.3599999999999999 110.5714 219.9315 1.6400000000000001 2.36 191.6118 296.4882 2.64 3.36 108.2886 199.601 3.64 4.36 186.0565 292.3666 5.64 6.36 118.6699 215.7607 6.64 7.36
# data/4: 304.3838 379.6417 -0.36 0.36 216.5474 288.6558 0.64 1.3599999999999999 219.9315 296.2385 1.6400000000000001 2.36 296.4882 358.9503 2.64 3.36 199.601 279.556 3.64 4.36 7.3914 59.1233 4.64 5.36 292.3666 367.3313 5.64 6.36 215.7607 288.8854 6.64 7.36
# data/5: 400.0 -0.6 400.0 7.6
