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
set lmargin at screen 0.157
set rmargin at screen 0.976
set tmargin at screen 0.7928571428571429
set bmargin at screen 0.10000000000000009
set xrange [0.0:437.1428571428571]
set xlabel "time since the tap or process start, in ms" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [9.6:-0.6]
set ylabel "" noenhanced textcolor rgb "#1f2328"
set ytics noenhanced ("median cold (n \062)" 0.0, "median warm (n \064)" 1.0, "\060 cold throwaway" 2.0, "\061 warm" 3.0, "\062 warm" 4.0, "\063 cold" 5.0, "\064 warm" 6.0, "\065 resume" 7.0, "\066 cold" 8.0, "\067 warm" 9.0)
set grid noytics
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
set label 100 "\063\066\063.\061 ms" at 404.0,0.0 left noenhanced front textcolor rgb "#1f2328"
set label 101 "\062\070\070.\070 ms" at 292.7706,1.0 left noenhanced front textcolor rgb "#1f2328"
set label 102 "\063\067\071.\066 ms" at 404.0,2.0 left noenhanced front textcolor rgb "#1f2328"
set label 103 "\062\070\070.\067 ms" at 292.6558,3.0 left noenhanced front textcolor rgb "#1f2328"
set label 104 "\062\071\066.\062 ms" at 300.2385,4.0 left noenhanced front textcolor rgb "#1f2328"
set label 105 "\063\065\071.\060 ms" at 362.9503,5.0 left noenhanced front textcolor rgb "#1f2328"
set label 106 "\062\067\071.\066 ms" at 283.556,6.0 left noenhanced front textcolor rgb "#1f2328"
set label 107 "\065\071.\061\062 ms" at 63.1233,7.0 left noenhanced front textcolor rgb "#1f2328"
set label 108 "\063\066\067.\063 ms" at 404.0,8.0 left noenhanced front textcolor rgb "#1f2328"
set label 109 "\062\070\070.\071 ms" at 292.8854,9.0 left noenhanced front textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#6e7781" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "system interface", \
  "data/\061" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#cc79a7" fillstyle transparent pattern 4 border linecolor rgb "#cc79a7" linewidth 0.8 title "static initialization", \
  "data/\062" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#e69f00" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "framework initialization", \
  "data/\063" binary format="%double%double%double%double" record=(7) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle transparent pattern 4 border linecolor rgb "#0072b2" linewidth 0.8 title "application initialization", \
  "data/\064" binary format="%double%double%double%double" record=(8) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#009e73" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "first frame", \
  "data/\065" binary format="%double%double%double%double" record=(2) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#1f2328" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "median", \
  "data/\066" binary format="%double%double%double%double" record=(1) endian=default using 1:2:($3-$1):($4-$2) with vectors nohead linewidth 2.0 linecolor rgb "#d55e00" dashtype 2 title "goal \064\060\060 ms"
unset label
unset multiplot
unset output
# data/0: 7.2663 122.182 1.6400000000000001 2.36 8.5094 63.7401 2.64 3.36 6.8197 62.1205 3.64 4.36 7.7268 125.4133 4.64 5.36 6.1476 56.6266 5.64 6.36 6.5887 115.3684 7.64 8.36 8.2722 64.958 8.64 9.36
# data/1: 122.182 173.8341 1.6400000000000001 2.36 63.7401 85.4531 2.64 3.36 62.1205 84.7363 3.64 4.36 125.4133 166.2048 4.64 5.36 56.6266 79.7197 5.64 6.36 115.3684 158.4077 7.64 8.36 64.958 90.129 8.64 9.36
# data/2: 173.8341 201.0559 1.6400000000000001 2.36 85.4531 114.4231 2.64 3.36 84.7363 110.5714 3.64 4.36 166.2048 191.6118 4.64 5.36 79.7197 108.2886 5.64 6.36 158.4077 186.0565 7.64 8.36 90.129 118.6699 8.64 9.36
# data/3: 201.0559 304.3838 1.6400000000000001 2.36 114.4231 216.5474 2.64 3.36 110.5714 219.9315 3.64 4.36 191.6118 296.4882 4.64 5.36 108.2886 199.601 5.64 6.36 186.0565 292.3666 7.64 8.36 118.6699 215.7607 8.64 9.36
# data/4: 304.3838 379.6417 1.6400000000000001 2.36 216.5474 288.6558 2.64 3.36 219.9315 296.2385 3.64 4.36 296.4882 358.9503 4.64 5.36 199.601 279.556 5.64 6.36 7.3914 59.1233 6.64 7.36 292.3666 367.3313 7.64 8.36 215.7607 288.8854 8.64 9.36
# data/5: 0.0 363.1408 -0.36 0.36 0.0 288.7706 0.64 1.3599999999999999
# data/6: 400.0 -0.6 400.0 9.6
